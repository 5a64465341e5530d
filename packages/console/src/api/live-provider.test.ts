import { expect, test } from 'vitest';
import type { Operation, UniverseEvent } from './client.ts';
import { withStep } from './live-provider.tsx';

const text = { en: '', ru: '' };
const operation: Operation = {
  id: 1,
  kind: 'cluster.apply',
  title: text,
  state: 'running',
  isCancelling: false,
  requestedBy: 'ann',
  createdAt: '2026-11-15T10:00:00Z',
  steps: [
    { name: 'approve', title: text, state: 'done', attempts: 1 },
    { name: 'network', title: text, state: 'waiting', attempts: 0 },
  ],
};
const event = (at: string, data: object): UniverseEvent => ({
  id: 1,
  at,
  kind: 'step',
  operation: 1,
  step: 'network',
  data: { ...data },
});

test('a step starts, fails with its problems, and restarts without them', () => {
  const started = withStep(operation, event('2026-11-15T10:00:01Z', { state: 'running', attempts: 1 }));
  expect(started.steps[1]).toMatchObject({ state: 'running', attempts: 1, startedAt: '2026-11-15T10:00:01Z' });
  expect(started.steps[0]).toBe(operation.steps[0]);
  const problems = [{ code: 'NOVA8340', params: {}, path: [] }];
  const failed = withStep(started, event('2026-11-15T10:00:02Z', { state: 'failed', attempts: 1, problems }));
  expect(failed.steps[1]).toMatchObject({ state: 'failed', endedAt: '2026-11-15T10:00:02Z', problems });
  const again = withStep(failed, event('2026-11-15T10:00:03Z', { state: 'running', attempts: 2 }));
  expect(again.steps[1]).toEqual({
    name: 'network',
    title: text,
    state: 'running',
    attempts: 2,
    startedAt: '2026-11-15T10:00:03Z',
  });
});
