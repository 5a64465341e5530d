import { expect, test } from 'vitest';
import { answering } from '../../testing/answers.ts';

const declared = (name: string, nodeCount: number) => ({
  name,
  revision: 1,
  provider: 'local',
  kubernetesVersion: '1.36.0',
  nodeCount,
  changedAt: new Date(Date.now() - 2 * 24 * 3600_000).toISOString(),
  changedBy: 'admin',
  failedNodes: 0,
  unseenNodes: 0,
});
const health = (cluster: string, state: string, ready: (boolean | undefined)[]) => ({
  cluster,
  state,
  kubernetesVersion: '1.36.0',
  server: `https://${cluster}.nova.local:6443`,
  cni: 'basic',
  enforcesNetworkPolicies: false,
  nodes: ready.map((isReady, index) => ({
    name: `${cluster}-${index}`,
    roles: ['worker'],
    address: '10.0.0.1',
    ...(isReady !== undefined && { isReady }),
    endingCertificates: [],
  })),
  hosts: [],
  findings: [],
});
const answers = {
  'GET /v1/clusters': { clusters: [declared('demo', 3), declared('gone', 1), declared('quiet', 2)] },
  'GET /v1/clusters/demo/health': health('demo', 'ready', [true, true, false]),
  'GET /v1/clusters/quiet/health': health('quiet', 'failed', [undefined, undefined]),
};

test('cluster list shows state, version, nodes and API of every cluster, also of one without health', async () => {
  await using universe = await answering(answers);
  const { exitCode, stdout, stderr } = await universe.ctl(['cluster', 'list']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const rows = stdout.split('\n').map((line) => line.split(/\s{2,}/));
  expect(rows[0]).toEqual(['NAME', 'STATE', 'KUBERNETES', 'NODES', 'API', 'CHANGED']);
  expect(rows[1]).toEqual(['demo', 'ready', '1.36.0', '2/3', 'https://demo.nova.local:6443', '2 days ago']);
  expect(rows[2]).toEqual(['gone', '—', '1.36.0', '—/1', '—', '2 days ago']);
  expect(rows[3]?.slice(3, 5)).toEqual(['—/2', 'https://quiet.nova.local:6443']);
});

test('cluster list -o json has the same as data', async () => {
  await using universe = await answering(answers);
  const { stdout } = await universe.ctl(['cluster', 'list', '-o', 'json']);
  const { clusters } = JSON.parse(stdout) as { clusters: object[] };
  expect(clusters[0]).toMatchObject({ name: 'demo', state: 'ready', nodes: { ready: 2, total: 3 } });
  expect(clusters[1]).not.toHaveProperty('state');
});

test('cluster list without clusters says so in both languages', async () => {
  await using universe = await answering({ 'GET /v1/clusters': { clusters: [] } });
  expect((await universe.ctl(['cluster', 'list'])).stdout).toBe('There are no clusters.\n');
  expect((await universe.ctl(['cluster', 'list'], { LANG: 'ru_RU.UTF-8' })).stdout).toBe('Кластеров нет.\n');
});
