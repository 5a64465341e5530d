import { expect, test } from 'vitest';
import { answering } from '../../testing/answers.ts';

const at = '2026-01-31T10:00:00.000Z';
const event = (id: number, kind: string, step: string, data: object) => ({ id, at, kind, step, operation: 17, data });
const answers = {
  'GET /v1/operations/17': { id: 17, state: 'done', steps: [] },
  'GET /v1/events/history': {
    events: [
      event(1, 'step', 'run/a', { state: 'running' }),
      event(2, 'log', 'run/a', { line: '\u001b[31mInfo: applied' }),
      event(3, 'log', 'run/b', { line: 'Info: nothing' }),
    ],
  },
  'GET /v1/nodes/demo-main-1/console': { text: 'booting\ncloud-init done\u001b[2J' },
};

test.each([
  ['logs', '17'],
  ['logs', 'operation', '17'],
  ['logs', '17', '--follow'],
])('%j shows the log lines of an operation without control sequences', async (...argv) => {
  await using universe = await answering(answers);
  const { exitCode, stdout } = await universe.ctl(argv);
  expect(exitCode).toBe(0);
  expect(stdout.replaceAll(/^\S+ \S+ {2}/gm, '')).toBe('run/a │ Info: applied\nrun/b │ Info: nothing\n');
});

test('logs --step shows only the lines of one step, and JSON has one document per line', async () => {
  await using universe = await answering(answers);
  const { stdout } = await universe.ctl(['logs', '17', '--step', 'run/b', '-o', 'json']);
  expect(JSON.parse(stdout)).toEqual({ at, step: 'run/b', line: 'Info: nothing' });
});

test('logs node shows the console of a node without control sequences', async () => {
  await using universe = await answering(answers);
  expect((await universe.ctl(['logs', 'node', 'demo-main-1'])).stdout).toBe('booting\ncloud-init done\n');
});
