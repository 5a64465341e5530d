import { describe, expect, test } from 'vitest';
import { defaultSite } from './site.ts';
import { allRoles, certificatesOf, plan, vsphere, zvirt } from './testing.ts';

const highlyAvailable = plan({
  ...zvirt,
  nodeGroups: [
    { name: 'master', roles: ['control-plane'], count: 3 },
    { name: 'infra', roles: ['infra'] },
    { name: 'worker', roles: ['worker'], count: 2 },
  ],
});
const { nodes, certificates, authorities, sharedKeys } = highlyAvailable;
const masters = ['demo-master-1', 'demo-master-2', 'demo-master-3'];

function namesOn(node: string): string[] {
  return certificates.filter((each) => each.node === node).map((each) => each.name);
}

describe('the certificate of the API server', () => {
  test('contains every name and address of the API', () => {
    const [certificate, ...more] = certificatesOf(
      plan({
        config: {
          k8sDefaultDnsZone: 'k8s.local',
          k8sAPIDefaultFqdn: 'api.mycompany.local',
          k8sAPIAdditionalSANs: ['k8s.mycompany.local', '192.168.1.5', '*.k8s.mycompany.local'],
        },
      }),
      'kube-apiserver',
    );
    expect(more).toEqual([]);
    expect(certificate).toEqual({
      name: 'kube-apiserver',
      node: 'demo-main-1',
      issuer: 'kubernetes',
      subject: { commonName: 'kube-apiserver', organizations: [] },
      dnsNames: [
        'localhost',
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        'kubernetes.default.svc.k8s.local',
        'api.demo.nova.internal',
        'api.mycompany.local',
        'k8s.mycompany.local',
        '*.k8s.mycompany.local',
        'demo-main-1',
      ],
      addresses: ['127.0.0.1', '10.233.0.1', '10.20.0.2', '172.30.0.17', '192.168.1.5', '10.20.0.10'],
      usages: ['server auth'],
      lifetimeHours: 720,
      key: { in: 'node', node: 'demo-main-1', path: '/etc/nova/pki/kube-apiserver.key' },
    });
  });

  test('contains no duplicates', () => {
    const single = plan({ ...vsphere, config: { ...vsphere.config, k8sAPIAdditionalSANs: ['localhost'] } });
    expect(certificatesOf(single, 'kube-apiserver')[0]).toMatchObject({
      dnsNames: [
        'localhost',
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        'kubernetes.default.svc.cluster.local',
        'api.demo.nova.internal',
        'demo-main-1',
      ],
      addresses: ['127.0.0.1', '10.233.0.1', '10.120.0.20'],
    });
  });

  test('is issued to each control plane, with its own name and address', () => {
    const own = certificatesOf(highlyAvailable, 'kube-apiserver');
    expect(own.map((each) => each.node)).toEqual(masters);
    expect(own.map((each) => each.dnsNames.at(-1))).toEqual(masters);
    expect(own.map((each) => each.addresses.at(-1))).toEqual(['10.20.0.10', '10.20.0.11', '10.20.0.12']);
  });
});

test('every certificate names an authority of the cluster, or Universe, as its issuer', () => {
  expect(authorities.map((each) => each.name)).toEqual(['kubernetes', 'etcd', 'front-proxy']);
  const known = new Set(['universe', ...authorities.map((each) => each.name)]);
  expect(certificates.filter((each) => !known.has(each.issuer))).toEqual([]);
});

test('every node has an identity and certificates for its kubelet and kube-proxy', () => {
  for (const { name, address } of nodes) {
    const own = certificates.filter((each) => each.node === name);
    const one = (wanted: string) => own.filter((each) => each.name === wanted);
    expect(one('identity')).toMatchObject([
      { issuer: 'universe', subject: { commonName: name }, usages: ['client auth'] },
    ]);
    const kubelet = { commonName: `system:node:${name}`, organizations: ['system:nodes'] };
    expect(one('kubelet-client')).toMatchObject([
      { issuer: 'kubernetes', subject: kubelet, usages: ['client auth'], dnsNames: [], addresses: [] },
    ]);
    expect(one('kubelet-server')).toMatchObject([
      { issuer: 'kubernetes', subject: kubelet, usages: ['server auth'], dnsNames: [name], addresses: [address] },
    ]);
    expect(one('kube-proxy')).toMatchObject([
      { issuer: 'kubernetes', subject: { commonName: 'system:kube-proxy' }, usages: ['client auth'] },
    ]);
  }
});

test('only control planes have certificates for the API server, controllers and etcd', () => {
  const ofEveryNode = ['identity', 'kubelet-client', 'kubelet-server', 'kube-proxy'];
  expect(namesOn('demo-worker-1')).toEqual(ofEveryNode);
  expect(namesOn('demo-infra-1')).toEqual(ofEveryNode);
  for (const master of masters) {
    expect(namesOn(master).sort()).toEqual(
      [
        ...ofEveryNode,
        'kube-apiserver',
        'kube-apiserver-kubelet-client',
        'kube-controller-manager',
        'kube-scheduler',
        'front-proxy-client',
        'kube-apiserver-etcd-client',
        'etcd-server',
        'etcd-peer',
      ].sort(),
    );
  }
  expect(certificatesOf(highlyAvailable, 'front-proxy-client').every((each) => each.issuer === 'front-proxy')).toBe(
    true,
  );
});

test('certificates of etcd contain the name and address of their member', () => {
  for (const name of ['etcd-server', 'etcd-peer']) {
    expect(certificatesOf(highlyAvailable, name)[1]).toMatchObject({
      issuer: 'etcd',
      subject: { commonName: 'demo-master-2' },
      dnsNames: ['demo-master-2', 'localhost'],
      addresses: ['10.20.0.11', '127.0.0.1'],
      usages: ['server auth', 'client auth'],
    });
  }
  expect(certificatesOf(highlyAvailable, 'kube-apiserver-etcd-client')).toMatchObject(
    masters.map((node) => ({ node, issuer: 'etcd', usages: ['client auth'] })),
  );
});

test('CA keys stay in Universe, and keys of nodes stay on the nodes', () => {
  expect(authorities.map((each) => each.key)).toEqual(authorities.map(() => ({ in: 'universe' })));
  for (const { key, node } of certificates.filter((each) => each.node !== undefined)) {
    expect(key).toMatchObject({ in: 'node', node });
  }
  const places = certificates.map(({ key }) => JSON.stringify(key));
  expect(new Set(places).size).toBe(certificates.length);
});

test('only control planes share keys', () => {
  expect(sharedKeys).toEqual([
    { name: 'service-account', nodes: masters, path: '/etc/nova/pki/service-account.key' },
    { name: 'etcd-encryption', nodes: masters, path: '/etc/nova/pki/etcd-encryption.key' },
  ]);
});

test('CAs and identities are valid for ten years, other certificates for thirty days', () => {
  const [days30, years10] = [30 * 24, 10 * 365 * 24];
  expect(new Set(authorities.map((each) => each.lifetimeHours))).toEqual(new Set([years10]));
  for (const { name, lifetimeHours } of certificates) {
    expect([name, lifetimeHours]).toEqual([name, name === 'identity' ? years10 : days30]);
  }
});

test('the site sets the lifetime of certificates that are not CAs', () => {
  const site = { ...defaultSite, certificateHours: 0.05, identityHours: 0.1 };
  for (const { name, lifetimeHours } of plan({}, { site }).certificates) {
    expect([name, lifetimeHours]).toEqual([name, name === 'identity' ? 0.1 : 0.05]);
  }
});

test('the ingress controllers have a certificate for the base domain, its key in a Secret', () => {
  expect(certificatesOf(highlyAvailable, 'ingress-default')).toEqual([
    {
      name: 'ingress-default',
      issuer: 'universe',
      subject: { commonName: 'demo ingress', organizations: [] },
      dnsNames: ['*.demo.nova.local', 'demo.nova.local'],
      addresses: [],
      usages: ['server auth'],
      lifetimeHours: 720,
      key: { in: 'secret', namespace: 'nova-ingress', name: 'ingress-default' },
    },
  ]);
});

// The limit of X.509 (RFC 5280, ub-common-name).
test('no common name is longer than 64 characters', () => {
  const long = plan({
    nodeGroups: [{ name: 'a'.repeat(15), roles: allRoles, count: 1 }],
    config: { clusterName: 'c'.repeat(30) },
  });
  expect(long.certificates.filter((each) => each.subject.commonName.length > 64)).toEqual([]);
});
