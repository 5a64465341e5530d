import { expect, test } from 'vitest';
import { newestEvents } from './events.ts';

const pod = { kind: 'Pod', name: 'a', namespace: 'default' };

test('an event without a reason and a message is listed', () => {
  const items = [{ involvedObject: pod, lastTimestamp: '2026-11-15T11:00:00Z' }];
  expect(newestEvents({ items })).toMatchObject([{ object: 'Pod/default/a', reason: '', message: '' }]);
});

test('events are listed newest first, whichever field has their time', () => {
  const items = [
    { type: 'Normal', involvedObject: pod, reason: 'Pulled', message: 'old', lastTimestamp: '2026-11-15T11:00:00Z' },
    {
      type: 'Warning',
      involvedObject: { kind: 'Node', name: 'one', namespace: 'default' },
      reason: 'Rebooted',
      message: 'in a series',
      lastTimestamp: null,
      eventTime: '2026-11-15T10:00:00.000000Z',
      series: { lastObservedTime: '2026-11-15T12:00:00.000000Z', count: 7 },
    },
    {
      type: 'Normal',
      involvedObject: pod,
      reason: 'Scheduled',
      message: 'new way',
      eventTime: '2026-11-15T11:30:00.5Z',
    },
  ];
  expect(newestEvents({ items })).toEqual([
    {
      at: '2026-11-15T12:00:00.000Z',
      severity: 'warning',
      object: 'Node/one',
      reason: 'Rebooted',
      message: 'in a series',
      count: 7,
    },
    {
      at: '2026-11-15T11:30:00.500Z',
      severity: 'normal',
      object: 'Pod/default/a',
      reason: 'Scheduled',
      message: 'new way',
      count: 1,
    },
    {
      at: '2026-11-15T11:00:00.000Z',
      severity: 'normal',
      object: 'Pod/default/a',
      reason: 'Pulled',
      message: 'old',
      count: 1,
    },
  ]);
});

test('events of the same second are listed in the order in which they were written', () => {
  const event = (reason: string, resourceVersion: string, time: object) => ({
    metadata: { resourceVersion },
    involvedObject: pod,
    reason,
    ...time,
  });
  const items = [
    event('Started', '1003', { lastTimestamp: '2026-11-15T11:30:00Z' }),
    event('Scheduled', '998', { eventTime: '2026-11-15T11:30:00.5Z' }),
    event('Pulled', '1000', { lastTimestamp: '2026-11-15T11:30:00Z' }),
    event('Old', '2000', { lastTimestamp: '2026-11-15T11:29:59Z' }),
  ];
  expect(newestEvents({ items }).map(({ reason }) => reason)).toEqual(['Started', 'Pulled', 'Scheduled', 'Old']);
});

test('the list is limited to the newest events', () => {
  const items = Array.from({ length: 1000 }, (_, index) => ({
    involvedObject: pod,
    reason: 'Tick',
    message: String(index),
    lastTimestamp: new Date(index * 1000).toISOString(),
  }));
  const listed = newestEvents({ items });
  expect([listed.length, listed[0]?.message, listed.at(-1)?.message]).toEqual([200, '999', '800']);
});
