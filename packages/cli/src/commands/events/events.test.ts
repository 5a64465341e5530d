import { expect, test } from 'vitest';
import { answering } from '../../testing/answers.ts';
import { novaCtl } from '../../testing/terminal.ts';

const event = (at: string, severity: string, object: string, reason: string, count = 1) => ({
  at: `2026-01-31T10:00:${at}.000Z`,
  severity,
  object,
  reason,
  message: 'it happened',
  count,
});
const answers = {
  'GET /v1/clusters/demo/events': {
    events: [event('02', 'warning', 'Pod/a/web', 'BackOff', 3), event('01', 'normal', 'Pod/a/web', 'Started')],
  },
  'GET /v1/clusters/demo/health': {
    findings: [{ severity: 'error', chain: [{ code: 'NOVA8356', params: {}, path: [] }] }],
  },
};

test('events are shown oldest first, and findings last', async () => {
  await using universe = await answering(answers);
  const { exitCode, stdout, stderr } = await universe.ctl(['events', 'demo']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/Started: it happened\n! .* BackOff: it happened \(×3\)\n\n✗ NOVA8356/);
});

test('events --warnings leaves out normal events, also as data', async () => {
  await using universe = await answering(answers);
  const { stdout } = await universe.ctl(['events', 'demo', '--warnings', '-o', 'json']);
  const { events, findings } = JSON.parse(stdout) as { events: { reason: string }[]; findings: unknown[] };
  expect(events.map(({ reason }) => reason)).toEqual(['BackOff']);
  expect(findings).toHaveLength(1);
});

test('events --watch prints each event once until interrupted', async () => {
  await using universe = await answering(answers);
  const { promise: untilStopped, resolve: stop } = Promise.withResolvers<void>();
  const { exitCode, stdout } = await novaCtl(['events', 'demo', '--watch', '-o', 'json'], {
    env: { NOVA_UNIVERSE_SOCKET: universe.socket },
    untilStopped: () => untilStopped,
    // Long enough for a second request.
    onOutput: () => setTimeout(stop, 3000),
  });
  expect(exitCode).toBe(130);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { reason: string }).reason),
  ).toEqual(['Started', 'BackOff']);
});
