import { createPrivateKey, X509Certificate } from 'node:crypto';
import { file, openssl, verify } from '@nova-platform/pki/testing';
import type { ClusterPlan, PlannedCertificate } from '@nova-platform/plan';
import { plan } from '@nova-platform/plan/testing';
import { openStore, type StoreLocation } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Schema } from './store/schema.ts';
import { type Answer, createRequest, refusalOf, type SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

const first = 'demo-cp-1';
const second = 'demo-cp-2';
const worker = 'demo-work-1';
const facts = { virtual: 'container_other' };

let server: TestManager;
let agents: Record<string, SimulatedAgent>;
let key: string;

beforeAll(async () => {
  ({ key } = await createRequest('any'));
});

async function start(location?: StoreLocation): Promise<void> {
  server = await startTestManager(location && { location });
  await server.approve(clusterPlan());
  const enrolled = [first, second, worker].map(async (name) => [name, await server.enrolled(name, key)] as const);
  agents = Object.fromEntries(await Promise.all(enrolled));
}

/** Three control planes and a worker, which also has a certificate from the platform CA. */
function clusterPlan(): ClusterPlan {
  const planned = plan({
    nodeGroups: [
      { name: 'cp', roles: ['control-plane'], count: 3 },
      { name: 'work', roles: ['infra', 'ingress', 'worker'] },
    ],
  });
  const web: PlannedCertificate = {
    name: 'web',
    node: worker,
    issuer: 'universe',
    subject: { commonName: 'web', organizations: [] },
    dnsNames: ['web.example.com'],
    addresses: [],
    usages: ['server auth'],
    lifetimeHours: 24,
    key: { in: 'node', node: worker, path: '/etc/nova/pki/web.key' },
  };
  return { ...planned, certificates: [...planned.certificates, web] };
}

function agentOf(name: string): SimulatedAgent {
  const agent = agents[name];
  if (!agent) throw new Error(`no agent ${name}`);
  return agent;
}

/** The contents of the files in the node's catalog. */
async function filesOf(node: string): Promise<Record<string, string>> {
  const { body } = await agentOf(node).catalog(facts);
  const { resources } = JSON.parse(body) as { resources: { title: string; parameters: { content?: string } }[] };
  return Object.fromEntries(resources.map(({ title, parameters }) => [title, parameters.content ?? '']));
}

function ask(node: string, name: string, request: string): Promise<Answer> {
  return agentOf(node).send('POST', `/nova/v1/nodes/${node}/certificates/${name}`, {
    body: request,
    headers: { 'content-type': 'text/plain' },
  });
}

const plannedFor = (node: string) =>
  clusterPlan().certificates.filter(
    (each) => each.key.in === 'node' && each.key.node === node && each.name !== 'identity',
  );

async function sharedKey(node: string, name: string): Promise<string> {
  const { status, body, headers } = await agentOf(node).send('GET', `/nova/v1/nodes/${node}/keys/${name}`);
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
  return body;
}

const extendedUsages: Record<string, string> = {
  '1.3.6.1.5.5.7.3.1': 'server auth',
  '1.3.6.1.5.5.7.3.2': 'client auth',
};

eachStore('certificates and keys', (locate) => {
  let location: StoreLocation;

  beforeAll(async () => {
    location = await locate();
    await start(location);
  });
  afterAll(() => server.remove());

  test.for([first, worker])('%s gets every planned certificate with the request from its catalog', async (node) => {
    const files = await filesOf(node);
    const { body: universe } = await agentOf(node).send('GET', '/puppet-ca/v1/certificate/ca');
    const planned = plannedFor(node);
    expect(planned.length).toBeGreaterThan(3);
    for (const { name, issuer, subject, dnsNames, addresses, usages, lifetimeHours } of planned) {
      const ownKey = openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256');
      const config = file(files[`/etc/nova/pki/${name}.request`] ?? '');
      const { status, body } = await ask(node, name, openssl('req', '-new', '-config', config, '-key', file(ownKey)));
      expect(status, `${name}: ${body}`).toBe(200);

      const certificate = new X509Certificate(body);
      expect(certificate.checkPrivateKey(createPrivateKey(ownKey))).toBe(true);
      const organizations = subject.organizations.map((each) => `O=${each}`);
      const isClient = issuer === 'kubernetes' && usages.includes('client auth');
      const enrolment = isClient ? [expect.stringMatching(/^O=nova:enrolment:[0-9a-f]{32}$/)] : [];
      expect(certificate.subject.split('\n').toSorted()).toEqual([
        `CN=${subject.commonName}`,
        ...enrolment,
        ...organizations,
      ]);
      expect(new Set(certificate.subjectAltName?.split(', ') ?? [])).toEqual(
        new Set([...dnsNames.map((each) => `DNS:${each}`), ...addresses.map((each) => `IP Address:${each}`)]),
      );
      expect(certificate.keyUsage.map((each) => extendedUsages[each])).toEqual(usages);
      expect(certificate.ca).toBe(false);
      const hours = (certificate.validToDate.getTime() - Date.now()) / 3600_000;
      expect(Math.abs(hours - lifetimeHours)).toBeLessThan(0.1);

      const authority = issuer === 'universe' ? universe : (files[`/etc/nova/pki/${issuer}-ca.crt`] ?? '');
      for (const usage of usages) {
        const purpose = usage === 'server auth' ? 'sslserver' : 'sslclient';
        expect(verify(body, '-CAfile', file(authority), '-purpose', purpose), name).toBe('OK');
      }
    }
  });

  test('control planes share their keys, and no other node gets them', async () => {
    const [account, encryption] = [
      await sharedKey(first, 'service-account'),
      await sharedKey(first, 'etcd-encryption'),
    ];
    expect(createPrivateKey(account).asymmetricKeyType).toBe('ec');
    expect(Buffer.from(encryption, 'base64')).toHaveLength(32);
    expect(await sharedKey(second, 'service-account')).toBe(account);
    expect(await sharedKey(second, 'etcd-encryption')).toBe(encryption);
    for (const [node, name] of [
      [worker, 'service-account'],
      [worker, 'etcd-encryption'],
      [first, 'unknown'],
    ] as const) {
      expect(refusalOf(await agentOf(node).send('GET', `/nova/v1/nodes/${node}/keys/${name}`))).toBe('404 NOVA8024');
    }
    expect(server.log()).not.toContain(encryption.trim());
    expect(server.log()).not.toContain('PRIVATE KEY');
  });

  test('keys do not change when the plan is applied again or the server restarts', async () => {
    const before = await sharedKey(first, 'service-account');
    const authorities = Object.entries(await filesOf(first)).filter(([path]) => path.endsWith('-ca.crt'));
    await server.approve(clusterPlan());
    await server.restart();
    expect(await sharedKey(second, 'service-account')).toBe(before);
    expect(Object.entries(await filesOf(first)).filter(([path]) => path.endsWith('-ca.crt'))).toEqual(authorities);
    expect(authorities).toHaveLength(3);
  });

  test('another cluster has its own keys and CAs', async () => {
    const declaration = { config: { dnsBaseDomain: 'other.nova.local', clusterName: 'other' } };
    await server.approve(plan(declaration));
    agents['other-main-1'] = await server.enrolled('other-main-1', key);
    const [account, files] = [await sharedKey('other-main-1', 'service-account'), await filesOf('other-main-1')];
    expect(account).not.toBe(await sharedKey(first, 'service-account'));
    expect(files['/etc/nova/pki/etcd-ca.crt']).not.toBe((await filesOf(first))['/etc/nova/pki/etcd-ca.crt']);
  });

  test('overdue certificates are found, unless they are revoked or have a successor', async () => {
    const overdue = async (hours: number, limit = 100) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3600_000 });
      const found = await server.manager.services.serviceCertificates.overdue(limit);
      vi.useRealTimers();
      return found;
    };
    const names = async (hours: number, limit?: number) =>
      (await overdue(hours, limit)).map(({ node, name }) => `${node} ${name}`);
    const { request } = await createRequest('any', { key, subject: 'CN = web' });
    await ask(worker, 'web', request);
    // Valid for a day: it should be renewed with eight hours left, and is overdue with less than six.
    expect(await names(17)).toEqual([]);
    expect(await names(19)).toEqual([`${worker} web`]);

    const all = await overdue(20 * 365 * 24);
    expect(all[0]).toEqual({
      node: worker,
      name: 'web',
      purpose: 'service',
      notAfter: expect.any(Date),
      overdueAt: expect.any(Date),
    });
    expect(all.map(({ notAfter }) => notAfter)).toEqual(
      all.map(({ notAfter }) => notAfter).toSorted((a, b) => +a - +b),
    );
    expect(await names(20 * 365 * 24, 1)).toEqual([`${worker} web`]);

    // As if the identity was renewed: the previous one is still valid.
    const store = await openStore<Schema>(location);
    const row = {
      serial: '00',
      purpose: 'identity',
      node: worker,
      name: 'identity',
      certificate: agentOf(worker).identity?.certificate ?? '',
      revoked_at: null,
    } as const;
    await store
      .insertInto('certificates')
      .values({ ...row, not_after: Date.now() + 3600_000, overdue_at: Date.now() })
      .execute();
    await store.destroy();
    expect(await names(19)).toEqual([`${worker} web`]);
    await server.client.revokeNode({ params: { name: worker } });
    expect(await names(19)).toEqual([]);
  });
});

describe('certificate requests', () => {
  beforeAll(() => start());
  afterAll(() => server.remove());

  test('a certificate from the platform CA includes the chain up to the root', async () => {
    const { request } = await createRequest('any', { key, subject: 'CN = web' });
    const { body } = await ask(worker, 'web', request);
    const { body: bundle } = await agentOf(worker).send('GET', '/puppet-ca/v1/certificate/ca');
    const root = bundle.slice(bundle.lastIndexOf('-----BEGIN'));
    expect(verify(body, '-CAfile', file(root), '-untrusted', file(body))).toBe('OK');
  });

  test('the certificate contains planned names that the request omits', async () => {
    const { request } = await createRequest('any', { key, subject: `CN = ${first}` });
    const certificate = new X509Certificate((await ask(first, 'etcd-server', request)).body);
    expect(certificate.subjectAltName).toContain(`DNS:${first}`);
  });

  const extras = {
    'another DNS name': { extensions: ['subjectAltName = DNS:demo-cp-1, DNS:api.example.com'] },
    'another address': { extensions: ['subjectAltName = IP:127.0.0.1, IP:192.0.2.1'] },
    'another node’s name': { subject: `CN = ${second}` },
    'the group of administrators': { subject: `CN = ${first}\nO = system:masters` },
    'a CA certificate': { extensions: ['basicConstraints = critical,CA:TRUE'] },
    'a role': { extensions: ['1.3.6.1.4.1.34380.1.1.13 = ASN1:UTF8String:control-plane'] },
    'other key usages': { extensions: ['extendedKeyUsage = codeSigning'] },
  };

  test.for(Object.entries(extras))('%s is not signed', async ([, extra]) => {
    const { request } = await createRequest('any', { key, subject: `CN = ${first}`, ...extra });
    expect(refusalOf(await ask(first, 'etcd-server', request))).toBe('403 NOVA8023');
  });

  test('a weak key is not signed', async () => {
    const { request } = await createRequest('any', { bits: 1024, subject: `CN = ${first}` });
    expect(refusalOf(await ask(first, 'etcd-server', request))).toBe('403 NOVA8103');
  });

  test.for([
    ['another node’s certificate', worker, 'etcd-server', `CN = ${first}`],
    ['an unknown certificate', first, 'unknown', 'CN = unknown'],
    ['the name of an object property', first, '__proto__', 'CN = unknown'],
    ['the identity', first, 'identity', `CN = ${first}`],
    ['a certificate whose key is not on the node', first, 'ingress-default', 'CN = demo ingress'],
  ] as const)('%s is not issued', async ([, node, name, subject]) => {
    const { request } = await createRequest('any', { key, subject });
    expect(refusalOf(await ask(node, name, request))).toBe('404 NOVA8024');
  });
});
