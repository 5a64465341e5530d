import { expect, test } from 'vitest';
import type { Operation } from '../api/client.ts';
import { usualDuration } from './operation-time.ts';

const operation = (kind: string, state: Operation['state'], seconds: number): Operation => ({
  id: seconds,
  kind,
  title: { en: '', ru: '' },
  state,
  isCancelling: false,
  requestedBy: 'ann',
  createdAt: '2026-11-15T10:00:00.000Z',
  endedAt: new Date(Date.parse('2026-11-15T10:00:00Z') + seconds * 1000).toISOString(),
  steps: [],
});

test('the usual duration is the median of completed operations of the same kind', () => {
  const operations = [
    operation('cluster.create', 'done', 60),
    operation('cluster.create', 'done', 600),
    operation('cluster.create', 'done', 80),
    operation('cluster.create', 'failed', 1),
    operation('cluster.stop', 'done', 2),
  ];
  expect(usualDuration('cluster.create', operations)).toBe(80_000);
  expect(usualDuration('cluster.destroy', operations)).toBeUndefined();
});
