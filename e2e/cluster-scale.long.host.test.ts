import { writeFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '@nova-platform/universe/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { novaCtl, type Outcome, temporaryFolder } from './nova-ctl.ts';

const folder = temporaryFolder();
const env = { HOME: folder.path, XDG_CONFIG_HOME: join(folder.path, '.config'), NOVA_CONTEXT: '' };
const cluster = 'grow';

const manifest = `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: { type: local }
  nodeGroups:
    - { name: cp, roles: [control-plane], count: 1, cpu: 2, memory: 2Gi }
    - { name: work, roles: [infra, ingress, worker], count: 1, cpu: 2, memory: 2Gi }
  clusterConfiguration: { dnsBaseDomain: ${cluster}.nova.local, nodeNetwork: 10.45.0.0/24, delivery: none }
`;

interface Kubeconfig {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
  users: [{ user: { 'client-certificate-data': string; 'client-key-data': string } }];
}

interface Listed {
  items: { metadata: { name: string } }[];
}

const ctl = (...args: string[]): Promise<Outcome> => novaCtl(args, { env });

async function done(...args: string[]): Promise<string> {
  const outcome = await ctl(...args);
  expect(outcome, args.join(' ')).toMatchObject({ exitCode: 0 });
  return outcome.stdout;
}

const inside = (machine: string, command: string) => done('machine', 'exec', machine, '--', 'sh', '-c', command);

/** Every call over a connection of its own, so that each is balanced anew. */
let access: RequestOptions;

function call(method: string, path: string, body?: object): Promise<{ status: number; answer: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const outgoing = request({ ...access, agent: false, method, path, headers, timeout: 10_000 }, (response) => {
      json(response).then((answer) => resolve({ status: response.statusCode ?? 0, answer }), reject);
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.once('error', reject);
    outgoing.end(body && JSON.stringify(body));
  });
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const names = async (path: string) =>
  ((await call('GET', path)).answer as Listed).items.map((each) => each.metadata.name);

/** Reads and writes five times a second until it is stopped; answers what was acknowledged and what failed. */
function traffic(run: string): { stop: () => Promise<{ acknowledged: string[]; failures: string[] }> } {
  const acknowledged: string[] = [];
  const failures: string[] = [];
  const under: Promise<void>[] = [];
  let isStopped = false;
  const attempt = async (what: string, work: () => Promise<{ status: number }>, expected: number) => {
    const outcome = await work().then(({ status }) => (status === expected ? '' : String(status)), String);
    if (outcome !== '') failures.push(`${new Date().toISOString()} ${what}: ${outcome}`);
    return outcome === '';
  };
  const ended = (async () => {
    for (let number = 0; !isStopped; number += 1) {
      const name = `${run}-${number}`;
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      under.push(
        attempt('read', () => call('GET', '/api/v1/namespaces/default'), 200).then(() => undefined),
        attempt('write', () => call('POST', configMaps, object), 201).then((isKept) => {
          if (isKept) acknowledged.push(name);
        }),
      );
      await sleep(200);
    }
    await Promise.all(under);
  })();
  return {
    stop: async () => {
      isStopped = true;
      await ended;
      return { acknowledged, failures };
    },
  };
}

const members = async (): Promise<string[]> => {
  const pki = '/etc/nova/pki';
  const options = `--cacert ${pki}/etcd-ca.crt --cert ${pki}/etcd-server.crt --key ${pki}/etcd-server.key`;
  const listed = await inside(`${cluster}-cp-1`, `/opt/nova/etcd/*/bin/etcdctl ${options} member list`);
  return listed
    .trim()
    .split('\n')
    .map((line) => line.split(', '))
    .map(([, , name, , , isLearner]) => (isLearner === 'false' ? (name ?? '') : `${name} learns`))
    .toSorted();
};

beforeAll(async () => {
  await done('up');
  await done('registry', 'import', 'pause', 'coredns', 'nettest');
  await done('image', 'build', 'kubernetes-node');
  const file = join(folder.path, 'cluster.yaml');
  writeFileSync(file, manifest);
  await done('apply', '-f', file, '--yes');
  const { clusters, users } = JSON.parse(await done('kubeconfig', cluster, '-o', 'json')) as Kubeconfig;
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
  const { 'client-certificate-data': cert, 'client-key-data': key } = users[0].user;
  const decoded = (text: string) => Buffer.from(text, 'base64');
  const { hostname, port } = new URL(server);
  access = { host: hostname, port, ca: decoded(ca), cert: decoded(cert), key: decoded(key) };
});

afterAll(async () => {
  await ctl('down', '--purge', '--keep-cache', '--yes');
  folder.remove();
});

/** Gives it another size, while it is read and written. */
async function scale(controlPlanes: number, workers: number): Promise<void> {
  const { stop } = traffic(`run-${controlPlanes}-${workers}`);
  await done('scale', cluster, `control-plane=${controlPlanes}`, `worker=${workers}`, '--yes');
  const { acknowledged, failures } = await stop();
  expect(failures).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(50);
  expect(await names(configMaps)).toEqual(expect.arrayContaining(acknowledged));
  const numbered = (group: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${cluster}-${group}-${index + 1}`);
  expect(await members()).toEqual(numbered('cp', controlPlanes));
  expect((await names('/api/v1/nodes')).toSorted()).toEqual([
    ...numbered('cp', controlPlanes),
    ...numbered('work', workers),
  ]);
  // The cluster knows its machines, and that nobody changes them now.
  const { answer } = await call('GET', '/api/v1/namespaces/kube-system/configmaps/nova-machines');
  expect(Object.keys((answer as { data: object }).data)).toHaveLength(controlPlanes + workers);
  expect(await names('/apis/config.nova-platform.io/v1alpha1/terraformlocks')).toEqual([]);
}

test('it grows from 1+1 to 3+2 nodes, answers all the while and forgets nothing', () => scale(3, 2));

test('etcd keeps its quorum, and a member that lost its data joins anew', async () => {
  const first = `${cluster}-cp-1`;
  await inside(first, 'systemctl stop etcd');
  const { stderr } = await ctl('scale', cluster, 'control-plane=1', '--yes');
  expect(stderr).toContain('NOVA8346');
  expect(stderr).toContain(`${first} does not answer`);
  const before = await names(configMaps);
  await inside(first, 'rm -rf /var/lib/etcd/member; systemctl start etcd');
  await done('start', cluster);
  expect(await members()).toEqual([1, 2, 3].map((number) => `${cluster}-cp-${number}`));
  expect(await names(configMaps)).toEqual(before);
});

test('stopped and started, it has everything it had', async () => {
  const before = await names(configMaps);
  await done('stop', cluster);
  expect(await done('machine', 'list')).not.toMatch(/grow-\S+ +running/);
  await done('start', cluster);
  expect(await names(configMaps)).toEqual(before);
  const { operations } = JSON.parse(await done('operation', 'list', '-o', 'json')) as { operations: Operation[] };
  expect(operations.slice(0, 2).map(({ kind, state }) => [kind, state])).toEqual([
    ['cluster.start', 'done'],
    ['cluster.stop', 'done'],
  ]);
});

test('it shrinks to 1+1 nodes, answers all the while and forgets nothing', () => scale(1, 1));
