import { expect, test } from 'vitest';
import { answering } from '../../testing/answers.ts';

const path = 'GET /v1/clusters/demo/health';
const health = (state: string) => ({ [path]: { cluster: 'demo', state, nodes: [], findings: [] } });
const operation = (state: string) => ({
  'GET /v1/operations/7': {
    id: 7,
    kind: 'cluster.create',
    title: { en: 'Create demo', ru: 'Создать demo' },
    state,
    isCancelling: false,
    requestedBy: 'anna',
    createdAt: new Date().toISOString(),
    steps: [],
  },
});

test('wait cluster returns once the cluster is ready', async () => {
  const answers: Record<string, unknown> = health('changing');
  await using universe = await answering(answers);
  setTimeout(() => Object.assign(answers, health('ready')), 500);
  expect(await universe.ctl(['wait', 'cluster', 'demo', '--timeout', '60s'])).toEqual({
    exitCode: 0,
    stdout: '✓ demo is ready.\n',
    stderr: '',
  });
});

test('wait without cluster or operation waits for the cluster of this name', async () => {
  await using universe = await answering(health('ready'));
  expect((await universe.ctl(['wait', 'demo', '--timeout', '60s'])).stdout).toBe('✓ demo is ready.\n');
});

test('wait cluster fails with the last state when the time runs out', async () => {
  await using universe = await answering(health('failed'));
  const { exitCode, stdout } = await universe.ctl(['wait', 'cluster', 'demo', '--timeout', '1s']);
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/^demo: .*\n✗ Timed out after /) as string,
  });
  const json = await universe.ctl(['wait', 'cluster', 'demo', '--timeout', '1s', '-o', 'json']);
  expect(JSON.parse(json.stdout)).toEqual({ cluster: 'demo', state: 'failed', isReached: false });
});

test('wait cluster --for deleted ends once Universe has no such cluster, and only for that reason', async () => {
  const missing = { problems: [{ code: 'NOVA8321', params: { cluster: 'demo' }, path: [] }] };
  await using universe = await answering({}, missing);
  const deleted = await universe.ctl(['wait', 'cluster', 'demo', '--for', 'deleted', '-o', 'json']);
  expect(deleted).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(deleted.stdout)).toMatchObject({ state: 'deleted' });
  expect((await universe.ctl(['wait', 'cluster', 'demo'])).stderr).toContain('NOVA8321');
});

test.for([
  ['done', 0],
  ['failed', 1],
  ['cancelled', 1],
  ['running', 1],
] as const)('wait operation of a %s one has the exit code %d', async ([state, code]) => {
  await using universe = await answering(operation(state));
  const { exitCode } = await universe.ctl(['wait', 'operation', '7', '--timeout', '1s']);
  expect(exitCode).toBe(code);
});

test('wait rejects an invalid time', async () => {
  await using universe = await answering(health('ready'));
  const { exitCode, stderr } = await universe.ctl(['wait', 'cluster', 'demo', '--timeout', 'soon']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--timeout') as string });
});
