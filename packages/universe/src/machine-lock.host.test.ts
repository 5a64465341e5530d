import { execFile as execFileWithCallback } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { promisify } from 'node:util';
import { clusterObjects, KubernetesError, machinesLock } from '@nova-platform/kubernetes';
import { createKeyPair, issueCertificate } from '@nova-platform/pki';
import { plan } from '@nova-platform/plan/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ControlPlane, startControlPlane } from './testing/control-plane.ts';
import { documentsOf, startTestUniverse, type TestUniverse } from './testing/universe.ts';

// A real Universe without an engine. The API of its cluster is a real API server, with an address and a certificate of
// the cluster.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const execFile = promisify(execFileWithCallback);
const cluster = 'alpha';
const params = { cluster };
const apiAddress = '10.20.0.2';
let kubernetes: ControlPlane;
let universe: TestUniverse;
let api: Server;

/** Serves the API server at the address of the cluster's API. */
async function publishApi(): Promise<Server> {
  await execFile('ip', ['address', 'add', `${apiAddress}/32`, 'dev', 'lo']);
  const issuer = await universe.universe.parts.config.services.authorities.issuerOf(cluster, 'kubernetes');
  const { privateKey, publicKey } = await createKeyPair();
  const { certificate } = await issueCertificate(issuer, {
    subject: { commonName: 'kube-apiserver', organizations: [] },
    publicKey,
    dnsNames: [],
    addresses: [apiAddress],
    usages: ['server auth'],
    lifetimeHours: 1,
  });
  const server = createServer({ cert: certificate, key: privateKey }, ({ url = '' }, response) => {
    kubernetes.api.get(url).then(
      (found) => response.end(JSON.stringify(found)),
      (error: unknown) => response.writeHead(error instanceof KubernetesError ? error.status : 500).end('{}'),
    );
  });
  server.listen(6443, apiAddress);
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  [universe, kubernetes] = await Promise.all([startTestUniverse(), startControlPlane()]);
  for (const object of clusterObjects(plan(), 'hub:5000')) await kubernetes.api.apply(object);
  const body = { documents: documentsOf(cluster) };
  const { operation } = await universe.local.declareCluster({ params, body });
  await universe.universe.parts.operations.ended(operation?.id ?? 0);
  api = await publishApi();
});
afterAll(async () => {
  api.close();
  await universe.close();
  await kubernetes[Symbol.asyncDispose]();
  await execFile('ip', ['address', 'del', `${apiAddress}/32`, 'dev', 'lo']);
});

const changes = {
  declare: () => universe.local.declareCluster({ params, body: { documents: documentsOf(cluster) } }),
  scale: () => universe.local.scaleCluster({ params, body: { groups: { main: 1 } } }),
  stop: () => universe.local.stopCluster({ params }),
  start: () => universe.local.startCluster({ params }),
  destroy: () => universe.local.destroyCluster({ params }),
};

test('machines locked by another holder are not changed, and the error names holder, operation and time', async () => {
  const created = '2026-11-15T10:00:00Z';
  const holder = { id: '0b7e1f0c-4f0e-4c53-9a3c-2f1f6f3a9d10', operation: 'tofu apply', who: 'ann@laptop', created };
  const operations = async () => (await universe.local.listOperations({ query: {} })).operations.length;
  const before = await operations();
  await kubernetes.api.apply({ ...machinesLock({ id: 1, kind: '', requestedBy: '' }), spec: holder });
  for (const [name, change] of Object.entries(changes))
    await expect(change(), name).rejects.toMatchObject({
      problems: [{ code: 'NOVA8373', params: { cluster, who: 'ann@laptop', operation: 'tofu apply', since: created } }],
    });
  expect(await operations()).toBe(before);
  // The operation of the declaration failed because there is no engine.
  const [failed] = (await universe.local.listOperations({ query: {} })).operations;
  await expect(universe.local.resumeOperation({ params: { id: failed?.id ?? 0 } })).rejects.toMatchObject({
    problems: [{ code: 'NOVA8373' }],
  });
  expect(await universe.local.showOperation({ params: { id: failed?.id ?? 0 } })).toEqual(failed);

  await kubernetes.kubectl(['delete', 'terraformlock', 'cluster']);
  const { operation } = await changes.declare();
  await universe.universe.parts.operations.ended(operation?.id ?? 0);
});

test('the lock of an unfinished operation blocks no other operation', async () => {
  await kubernetes.api.apply(machinesLock({ id: 7, kind: 'cluster.apply', requestedBy: 'ann' }));
  const { operation } = await changes.declare();
  await universe.universe.parts.operations.ended(operation?.id ?? 0);
});
