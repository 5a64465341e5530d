import { expect, test } from 'vitest';
import { newestFirst } from './event-order.ts';

const event = (reason: string, at: string) => ({ reason, at });
const reasons = (events: readonly { reason: string }[]) => events.map(({ reason }) => reason);

test('events of the same second keep the order of the server', () => {
  // The scheduler reports fractions of a second, the kubelet does not.
  const served = [
    event('Started', '2026-11-19T10:00:07.000Z'),
    event('Created', '2026-11-19T10:00:07.000Z'),
    event('Scheduled', '2026-11-19T10:00:07.412Z'),
  ];
  expect(reasons(newestFirst(served))).toEqual(['Started', 'Created', 'Scheduled']);
});

test('events of different seconds are sorted, newest first', () => {
  const merged = [
    event('operation', '2026-11-19T10:00:05.900Z'),
    event('Started', '2026-11-19T10:00:06.000Z'),
    event('Scheduled', '2026-11-19T10:00:04.999Z'),
  ];
  expect(reasons(newestFirst(merged))).toEqual(['Started', 'operation', 'Scheduled']);
});
