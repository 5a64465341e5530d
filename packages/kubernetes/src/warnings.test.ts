import { expect, test } from 'vitest';
import { recentWarnings } from './warnings.ts';

const now = new Date('2026-11-15T12:00:00Z');
const event = (reason: string, minutes: number, message = reason, kind = 'Pod') => ({
  involvedObject: { kind, name: 'a', namespace: 'default' },
  reason,
  message,
  lastTimestamp: new Date(now.getTime() - minutes * 60_000).toISOString(),
});

test('recent warnings are listed newest first, once per object and reason, without noise', () => {
  const series = { ...event('Series', 60), series: { lastObservedTime: '2026-11-15T11:58:30Z' } };
  const items = [
    event('Old', 20),
    event('BackOff', 5, 'before'),
    event('BackOff', 1, 'now'),
    event('CgroupV1', 1),
    event('Broken', 3, 'x', 'Node'),
    series,
  ];
  expect(recentWarnings({ items }, now)).toMatchObject([
    { object: 'Pod/default/a', reason: 'BackOff', message: 'now' },
    { object: 'Pod/default/a', reason: 'Series', message: 'Series' },
    { object: 'Node/a', reason: 'Broken', message: 'x' },
  ]);
});

test('of the warnings about a failed pull, the one with the cause is first', () => {
  const cause = 'Failed to pull image "hub:5000/nova/nosuch:1.0": rpc error: code = NotFound: not found';
  const items = [
    event('BackOff', 1, 'Back-off pulling image "hub:5000/nova/nosuch:1.0"'),
    event('Failed', 2, 'Error: ImagePullBackOff'),
    event('Failed', 4, 'Error: ErrImagePull'),
    event('Failed', 5, cause),
  ];
  expect(recentWarnings({ items }, now).map(({ message }) => message)).toEqual([
    cause,
    'Back-off pulling image "hub:5000/nova/nosuch:1.0"',
  ]);
});
