import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Declaration, plan } from '@nova-platform/plan/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { authorities, contentOf, existing, highlyAvailable, nodeInput, resourceOf } from '../testing.ts';
import { certificates } from './certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'nova-certificates-'));
afterAll(() => rmSync(folder, { recursive: true }));

function compile(declaration: Declaration, node: string) {
  return { resources: certificates(nodeInput(declaration, { node })) };
}

/** Everything that the node obtains: `certificate kubelet-client`, `key service-account`. */
function obtained(catalog: ReturnType<typeof compile>): string[] {
  const list = contentOf(catalog, '/etc/nova/pki/certificates.list').trim().split('\n');
  const keys = catalog.resources.filter(({ type, title }) => type === 'exec' && title.startsWith('obtain key '));
  return [
    ...list.map((line) => `certificate ${line.split(' ')[0]}`),
    ...keys.map(({ title }) => title.replace('obtain ', '')),
  ];
}

describe.for<[string, Declaration]>([
  ['one local node', {}],
  ['a highly available cluster', highlyAvailable],
  ['existing hosts', existing],
])('%s', ([, declaration]) => {
  const planned = plan(declaration);

  test('a node requests exactly the certificates whose keys it holds', () => {
    for (const { name: node } of planned.nodes) {
      const catalog = compile(declaration, node);
      const own = planned.certificates.filter(({ key }) => key.in === 'node' && key.node === node);
      const names = own.map(({ name }) => name).filter((name) => name !== 'identity');
      expect(names.length).toBeGreaterThan(2);
      expect(own.length).toBe(names.length + 1);
      expect(obtained(catalog).filter((each) => each.startsWith('certificate '))).toEqual(
        names.map((name) => `certificate ${name}`),
      );
      const requests = catalog.resources.map(({ title }) => title).filter((title) => title.endsWith('.request'));
      expect(requests).toEqual(names.map((name) => `/etc/nova/pki/${name}.request`));
      for (const { key, name } of own) expect(key).toMatchObject({ path: `/etc/nova/pki/${name}.key` });
    }
  });

  test('only the nodes that share a key fetch it', () => {
    for (const { name: node } of planned.nodes) {
      const keys = planned.sharedKeys.filter(({ nodes }) => nodes.includes(node));
      expect(obtained(compile(declaration, node)).filter((each) => each.startsWith('key '))).toEqual(
        keys.map(({ name }) => `key ${name}`),
      );
    }
  });
});

test('a worker has no certificates and keys of the control plane', () => {
  expect(obtained(compile(highlyAvailable, 'demo-worker-1'))).toEqual([
    'certificate kubelet-client',
    'certificate kubelet-server',
    'certificate kube-proxy',
  ]);
  expect(obtained(compile(highlyAvailable, 'demo-master-1'))).toEqual(
    expect.arrayContaining(['certificate kube-apiserver', 'certificate etcd-peer', 'key service-account']),
  );
});

test('every node has the certificates of all cluster CAs', () => {
  const catalog = compile(highlyAvailable, 'demo-worker-1');
  for (const [name, content] of Object.entries(authorities))
    expect(contentOf(catalog, `/etc/nova/pki/${name}-ca.crt`)).toBe(content);
});

test('certificates are obtained after their requests are written, and renewed in the last third of their lifetime', () => {
  const catalog = compile({}, 'demo-main-1');
  const { parameters, relations } = resourceOf(catalog, 'Exec[obtain certificates]');
  expect(parameters).toMatchObject({
    command: '/usr/local/lib/nova/certificates obtain',
    unless: '/usr/local/lib/nova/certificates check',
  });
  expect(relations.require).toContain('File[/etc/nova/pki/etcd-peer.request]');
  expect(relations.require).toContain('File[/etc/nova/pki/certificates.list]');
  // Ten of thirty days. etcd reloads its certificates, the kubelet does not.
  const list = contentOf(catalog, '/etc/nova/pki/certificates.list');
  expect(list).toContain('etcd-peer 864000 -\n');
  expect(list).toContain('kubelet-client 864000 kubelet\n');
});

test('a timer renews certificates between agent runs, more often if they are short-lived', () => {
  const unitOf = (kind: 'timer' | 'service', certificateHours: number) => {
    const input = nodeInput({}, { node: 'demo-main-1' });
    const shortened = input.plan.certificates.map((each) => ({ ...each, lifetimeHours: certificateHours }));
    const resources = certificates({ ...input, plan: { ...input.plan, certificates: shortened } });
    return contentOf({ resources }, `/etc/systemd/system/nova-certificates.${kind}`);
  };
  expect(unitOf('timer', 720)).toContain('OnUnitActiveSec=3600s');
  expect(unitOf('timer', 0.1)).toContain('OnUnitActiveSec=18s');
  // The identity comes first, also in the last third of its lifetime.
  const commands = unitOf('service', 0.1).match(/(?<=^Exec.*=).*$/gm);
  expect(commands).toEqual(['-/usr/local/lib/nova/identity 120', '/usr/local/lib/nova/certificates obtain']);
});

test('a shared key is fetched once, to its planned path', () => {
  const { parameters } = resourceOf(compile({}, 'demo-main-1'), 'Exec[obtain key service-account]');
  expect(parameters).toMatchObject({
    command: '/usr/local/lib/nova/shared-key service-account /etc/nova/pki/service-account.key',
    unless: '/usr/bin/test -s /etc/nova/pki/service-account.key',
  });
});

test('openssl creates every request with the planned subject and names', () => {
  const longest = 'n'.repeat(52);
  const declaration: Declaration = {
    ...existing,
    nodeGroups: [
      { name: 'main', roles: ['control-plane', 'infra'], hosts: [{ name: longest, address: '10.20.0.77' }] },
      { name: 'worker', roles: ['worker'], hosts: [{ name: 'w', address: '10.20.0.78' }] },
    ],
    config: { k8sAPIAdditionalSANs: ['k8s.mycompany.local', '192.168.1.5', '192.168.1.6'] },
  };
  const input = nodeInput(declaration, { node: longest });
  // Plans have at most one organization; a second one needs another key in openssl's configuration.
  const planned = input.plan.certificates.map((each) =>
    each.name === 'kubelet-client' ? { ...each, subject: { ...each.subject, organizations: ['a:b', 'c d'] } } : each,
  );
  const catalog = { resources: certificates({ ...input, plan: { ...input.plan, certificates: planned } }) };
  const key = join(folder, 'key');
  execFileSync('openssl', ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', key]);
  const own = planned.filter(({ node, name }) => node === longest && name !== 'identity');
  expect(own).toHaveLength(11);
  for (const { name, subject, dnsNames, addresses } of own) {
    const config = join(folder, 'request');
    writeFileSync(config, contentOf(catalog, `/etc/nova/pki/${name}.request`));
    const show = ['-noout', '-text', '-nameopt', 'sep_multiline,utf8'];
    const text = execFileSync('openssl', ['req', '-new', '-config', config, '-key', key, ...show], {
      encoding: 'utf8',
    });
    const [, between = ''] = /Subject:(.*?)Subject Public Key/s.exec(text) ?? [];
    expect(
      between
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    ).toEqual([...subject.organizations.map((organization) => `O=${organization}`), `CN=${subject.commonName}`]);
    const [, list = ''] = /Subject Alternative Name: \n\s*(.*)/.exec(text) ?? [];
    expect(list.split(', ').filter(Boolean)).toEqual([
      ...dnsNames.map((each) => `DNS:${each}`),
      ...addresses.map((each) => `IP Address:${each}`),
    ]);
  }
});
