import { X509Certificate } from 'node:crypto';
import { createRequest } from '@nova-platform/config-manager/testing';
import type { Health } from '@nova-platform/contracts/universe/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestUniverse, type TestUniverse } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const name = 'metal';
const apiName = `api.${name}.nova.local`;

/** Hosts on loopback, where nothing of a cluster listens. */
const documents = JSON.stringify({
  apiVersion: 'config.nova-platform.io/v1alpha4',
  kind: 'Infrastructure',
  metadata: { name: 'cluster' },
  spec: {
    provider: { type: 'existing' },
    nodeGroups: [
      { name: 'cp', roles: ['control-plane', 'infra'], hosts: [{ name: 'rack1-n1', address: '127.0.7.11' }] },
      { name: 'work', roles: ['worker'], hosts: [{ name: 'rack1-n2', address: '127.0.7.12' }] },
    ],
    clusterConfiguration: {
      dnsBaseDomain: `${name}.nova.local`,
      k8sAPIDefaultFqdn: apiName,
      nodeNetwork: '127.0.7.0/24',
    },
  },
});

let universe: TestUniverse;
let token: string;
beforeAll(async () => {
  universe = await startTestUniverse();
  token = await universe.token('viewer');
  const { clusters, journal } = universe.universe.parts;
  const { plan } = await clusters.read(name, documents);
  await journal.write((transaction, emit) =>
    clusters.declare({ transaction, emit }, { plan, documents, by: 'operator', seen: 0 }),
  );
});
afterAll(() => universe.close());

const health = async () => {
  const { status, json } = await universe.send(`/api/v1/clusters/${name}/health`, { token });
  expect(status).toBe(200);
  return json as unknown as Health;
};
const codes = ({ findings }: Health) => findings.map(({ chain }) => chain.map(({ code }) => code).join(' ← '));

test('the health of a declared cluster has its plan, and findings that nothing responds', async () => {
  const answer = await health();
  expect(answer).toMatchObject({
    cluster: name,
    state: 'failed',
    server: `https://${apiName}:6443`,
    hosts: [`127.0.7.11 ${apiName}`],
    cni: 'basic',
    enforcesNetworkPolicies: false,
    nodes: [
      { name: 'rack1-n1', roles: ['control-plane', 'infra'], address: '127.0.7.11', endingCertificates: [] },
      { name: 'rack1-n2', roles: ['worker'], address: '127.0.7.12', endingCertificates: [] },
    ],
  });
  // Their readiness is unknown.
  for (const node of answer.nodes) expect(node).not.toHaveProperty('isReady');
  expect(codes(answer)).toEqual(['NOVA8360 ← NOVA8361 ← NOVA8501', 'NOVA8501']);
});

test('a kubeconfig is refused before the cluster has a CA', async () => {
  const asked = await universe.send(`/api/v1/clusters/${name}/kubeconfig`, {
    method: 'POST',
    token: await universe.token('operator'),
  });
  expect([asked.status, asked.json.code]).toEqual([409, 'NOVA8352']);
});

/** The reason why a source does not respond. */
const reasonIn = async (code: string) => {
  const { findings } = await health();
  const found = findings.flatMap(({ chain }) => chain).find((each) => each.code === code);
  return (found?.params.reason ?? {}) as { en?: string; ru?: string };
};

test('the reason why a source does not respond is in both languages', async () => {
  expect((await reasonIn('NOVA8360')).en).toMatch(/has no certificate authority yet/);
  expect((await reasonIn('NOVA8360')).ru).toMatch(/ещё нет центра сертификации/);
});

test('after approval pending changes are counted, and the API is queried', async () => {
  const { clusters, config } = universe.universe.parts;
  await config.services.catalogs.apply(await clusters.plan(name), {});
  const { nodes } = await health();
  expect(nodes.map(({ pending }) => pending)).toEqual([0, 0]);
  expect(await reasonIn('NOVA8360')).toEqual({ en: 'the connection was refused.', ru: 'в соединении отказано.' });
});

test('a kubeconfig expires with the token of its request', async () => {
  const endOf = async (seconds: number) => {
    await universe.token('operator');
    const body = { name: 'x', role: 'operator', seconds, user: 'operator' } as const;
    const { token: short } = await universe.local.createAccessToken({ body });
    const asked = { method: 'POST', token: short };
    const { json } = await universe.send(`/api/v1/clusters/${name}/kubeconfig`, asked);
    return Date.parse(new X509Certificate(String(json.certificate)).validTo) - Date.now();
  };
  expect(await endOf(600)).toBeLessThanOrEqual(600_000);
  expect(await endOf(2 * 3600)).toBeGreaterThan(3500_000);
});

test.for([
  ['viewer', 'nova:viewers'],
  ['operator', 'nova:operators'],
  ['admin', 'nova:administrators'],
] as const)('the certificate of a kubeconfig for the role %s has the group %s', async ([role, group]) => {
  const asked = { method: 'POST', token: await universe.token(role) };
  const { json } = await universe.send(`/api/v1/clusters/${name}/kubeconfig`, asked);
  const { subject } = new X509Certificate(String(json.certificate));
  expect(subject.split('\n').filter((line) => line.startsWith('O='))).toEqual([`O=${group}`]);
});

test('a kubeconfig has the declared name of the API, which its certificate contains', async () => {
  const asked = { method: 'POST', token: await universe.token('operator') };
  const { json } = await universe.send(`/api/v1/clusters/${name}/kubeconfig`, asked);
  expect(json.server).toBe(`https://${apiName}:6443`);
  const { certificates } = await universe.universe.parts.clusters.plan(name);
  expect(certificates.find((each) => each.name === 'kube-apiserver')?.dnsNames).toContain(apiName);
});

test('an unreachable API or engine is reported instead of events or the network', async () => {
  const outcome = async (path: string) => {
    const { status, json } = await universe.send(`/api/v1/clusters/${path}`, { token });
    return [status, json.code];
  };
  expect(await outcome(`${name}/events`)).toEqual([503, 'NOVA8360']);
  expect(await outcome(`${name}/network`)).toEqual([502, 'NOVA8340']);
  expect(await outcome('unheard-of/events')).toEqual([404, 'NOVA8321']);
  expect(await outcome('unheard-of/network')).toEqual([404, 'NOVA8321']);
});

test('only users can read the health of a cluster', async () => {
  const path = `/api/v1/clusters/${name}/health`;
  const node = await universe.enrolled('rack1-n1');
  const outcome = async (asked: Parameters<TestUniverse['send']>[1]) => {
    const { status, json } = await universe.send(path, asked);
    return `${status} ${json.code ?? ''}`.trim();
  };
  expect(await outcome({ token })).toBe('200');
  expect(await outcome({})).toBe('401 NOVA8310');
  expect(await outcome({ identity: node.identity })).toBe('403 NOVA8319');
  const { status, json } = await universe.send('/api/v1/clusters/unheard-of/health', { token });
  expect([status, json.code]).toEqual([404, 'NOVA8321']);
});

test('certificates are reported once their renewal is overdue', async () => {
  const node = await universe.enrolled('rack1-n2');
  const { request } = await createRequest('any', { subject: 'CN = system:kube-proxy' });
  const path = '/nova/v1/nodes/rack1-n2/certificates/kube-proxy';
  expect((await node.send('POST', path, { body: request })).status).toBe(200);
  const endingAfter = async (days: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 24 * 3600_000 });
    const { endingCertificates } = await universe.local.status({});
    const { nodes } = await universe.local.clusterHealth({ params: { cluster: name } });
    vi.useRealTimers();
    return [endingCertificates, nodes[1]?.endingCertificates].map((found) => found?.map((each) => each.name));
  };
  // It is no longer planned, so its node does not renew it.
  const { config, clusters } = universe.universe.parts;
  const plan = await clusters.plan(name);
  const dropped = plan.certificates.map((each) => ({ ...each, name: each.name.replace('kube-proxy', 'dropped') }));
  await config.services.serviceCertificates.issue({ ...plan, certificates: dropped }, 'rack1-n2', 'dropped', request);
  // It is valid for thirty days, and renewed with ten left.
  expect(await endingAfter(21)).toEqual([[], []]);
  expect(await endingAfter(23)).toEqual([['kube-proxy'], ['kube-proxy']]);
  const { certificates } = await universe.local.clusterCertificates({ params: { cluster: name } });
  expect(certificates.map((each) => each.name)).toEqual(['kube-proxy']);
  const [left] = certificates.map(({ notAfter, overdueAt }) => Date.parse(notAfter) - Date.parse(overdueAt));
  expect(left).toBeCloseTo(7.5 * 24 * 3600_000, -5);
});

test('readiness has details only for authenticated clients', async () => {
  const ready = (asked?: Parameters<TestUniverse['send']>[1]) => universe.send('/api/v1/ready', asked);
  const { journal } = universe.universe.parts;
  expect((await ready()).json).toEqual({ status: 'ok' });
  expect((await ready({ token: 'x' })).json).toEqual({ status: 'ok' });
  expect((await ready({ token })).json).toMatchObject({
    status: 'ok',
    services: expect.arrayContaining([expect.objectContaining({ name: 'store', isReady: true })]) as unknown,
  });
  vi.spyOn(journal, 'last').mockRejectedValue(new Error('disk I/O error at /var/lib/nova'));
  const refused = await ready();
  expect([refused.status, refused.json.code]).toEqual([503, 'NOVA8423']);
  expect(refused.text).not.toMatch(/disk|nova\//);
  expect((await ready({ token })).json).toMatchObject({
    code: 'NOVA8335',
    title: expect.stringMatching('disk') as string,
  });
  expect((await universe.sendLocally('/api/v1/ready')).json.code).toBe('NOVA8335');
  vi.restoreAllMocks();
  expect(universe.log()).toContain('disk I/O error');
});
