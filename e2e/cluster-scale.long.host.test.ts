import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '@nova-platform/contracts/universe/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ClusterClient, configMaps } from './cluster-traffic.ts';
import { temporaryFolder } from './nova-ctl.ts';
import { clusterManifest, numbered, platformOf } from './platform.ts';

// Up to seven machines share the CPUs of this host.
vi.setConfig({ testTimeout: 300_000 });

const folder = temporaryFolder();
const cluster = 'grow';

const manifest = clusterManifest(cluster, '10.45.0.0/24');

const { ctl, done, inside, etcdctl, members, leaderAmong } = platformOf(folder.path);
const first = `${cluster}-cp-1`;
let client: ClusterClient;

beforeAll(async () => {
  await done('up', '--no-cluster');
  await done('registry', 'import', 'pause', 'coredns', 'nettest');
  await done('image', 'build', 'kubernetes-node');
  const file = join(folder.path, 'cluster.yaml');
  writeFileSync(file, manifest);
  await done('apply', '-f', file, '--yes');
  client = new ClusterClient(await done('kubeconfig', cluster, '--static', '-o', 'json'));
});

afterAll(async () => {
  await ctl('down', '--purge', '--yes');
  folder.remove();
});

/** Scales the cluster under continuous reads and writes. */
async function scale(controlPlanes: number, workers: number): Promise<void> {
  const { stop } = client.traffic(`run-${controlPlanes}-${workers}`);
  await done('scale', cluster, `control-plane=${controlPlanes}`, `worker=${workers}`, '--yes');
  const { acknowledged, failures } = await stop();
  expect(failures).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(50);
  expect(await client.names(configMaps)).toEqual(expect.arrayContaining(acknowledged));
  expect(await members(first)).toEqual(numbered(`${cluster}-cp`, controlPlanes));
  expect((await client.names('/api/v1/nodes')).toSorted()).toEqual([
    ...numbered(`${cluster}-cp`, controlPlanes),
    ...numbered(`${cluster}-work`, workers),
  ]);
  // The cluster stores its machines, and no lock on them is left.
  const path = '/api/v1/namespaces/kube-system/configmaps/nova-machines';
  const { data } = await client.use((api) => api.get<{ data: object }>(path));
  expect(Object.keys(data)).toHaveLength(controlPlanes + workers);
  expect(await client.names('/apis/config.nova-platform.io/v1alpha1/terraformlocks')).toEqual([]);
}

test('scaling from 1+1 to 3+2 nodes keeps the API available and loses no data', async () => {
  // A leftover of an earlier attempt with an expired token: it is recreated.
  const left = ['--image', 'kubernetes-node', '--network', cluster, '--address', '10.45.0.200'];
  await done('machine', 'create', `${cluster}-work-2`, ...left);
  await scale(3, 2);
});

test('scaling down never breaks the etcd quorum, and a member with lost data rejoins', async () => {
  await inside(first, 'systemctl stop etcd');
  const { stderr } = await ctl('scale', cluster, 'control-plane=1', '--yes');
  expect(stderr).toContain('NOVA8346');
  expect(stderr).toContain(`${first} does not respond`);
  const before = await client.names(configMaps);
  await inside(first, 'rm -rf /var/lib/etcd/member; systemctl start etcd');
  await done('start', cluster);
  expect(await members(first)).toEqual(numbered(`${cluster}-cp`, 3));
  expect(await client.names(configMaps)).toEqual(before);
});

test('stop and start keep all data', async () => {
  const before = await client.names(configMaps);
  await done('stop', cluster);
  expect(await done('machine', 'list')).not.toMatch(/grow-\S+ +container +running/);
  await done('start', cluster);
  expect(await client.names(configMaps)).toEqual(before);
  const { operations } = JSON.parse(await done('operation', 'list', '-o', 'json')) as { operations: Operation[] };
  expect(operations.slice(0, 2).map(({ kind, state }) => [kind, state])).toEqual([
    ['cluster.start', 'done'],
    ['cluster.stop', 'done'],
  ]);
});

test('scaling down to 1+1 nodes keeps the API available and loses no data, even when the etcd leader is removed', async () => {
  const third = `${cluster}-cp-3`;
  const leader = await leaderAmong(numbered(`${cluster}-cp`, 3));
  const [id] = (await etcdctl(leader, `member list | grep ${third}`)).split(',');
  if (leader !== third) await etcdctl(leader, `move-leader ${id}`);
  await scale(1, 1);
});
