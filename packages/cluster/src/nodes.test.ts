import { expect, test } from 'vitest';
import { nodesOf, recentWarnings, unreadyPods } from './nodes.ts';

const condition = (type: string, status: string, message = '') => ({ type, status, message });

test('a node is ready when it says so; pressures are what it lacks', () => {
  const items = [
    {
      metadata: { name: 'one' },
      status: {
        conditions: [
          condition('MemoryPressure', 'False', 'enough'),
          condition('DiskPressure', 'True', 'little left'),
          { ...condition('Ready', 'True', 'posting'), lastHeartbeatTime: '2026-11-15T12:00:00Z' },
        ],
        nodeInfo: { kubeletVersion: 'v1.36.3' },
      },
    },
    { metadata: { name: 'new' }, status: {} },
  ];
  expect(nodesOf({ items }).nodes).toEqual([
    {
      name: 'one',
      version: 'v1.36.3',
      ready: 'True',
      reason: 'posting',
      heardAt: new Date('2026-11-15T12:00:00Z'),
      pressures: [{ type: 'DiskPressure', message: 'little left' }],
    },
    { name: 'new', version: '', ready: 'Unknown', reason: 'it has not said anything yet', pressures: [] },
  ]);
});

test('pods that are not ready say why; those that are done or about to go are not meant', () => {
  const pod = (name: string, status: object, metadata: object = {}) => ({
    metadata: { name, namespace: 'kube-system', ...metadata },
    spec: { nodeName: 'one' },
    status: { phase: 'Running', ...status },
  });
  const waiting = { state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } } };
  const items = [
    pod('well', { conditions: [condition('Ready', 'True')] }),
    pod('done', { phase: 'Succeeded', conditions: [condition('Ready', 'False')] }),
    pod('going', { conditions: [condition('Ready', 'False')] }, { deletionTimestamp: '2026-11-15T12:00:00Z' }),
    pod('pulling', { conditions: [condition('Ready', 'False', 'containers')], containerStatuses: [waiting] }),
    { ...pod('waiting', { phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'no room')] }), spec: {} },
    pod('new', { phase: 'Pending' }),
  ];
  expect(unreadyPods({ items })).toEqual([
    { namespace: 'kube-system', name: 'pulling', node: 'one', reason: 'ImagePullBackOff: no such image' },
    { namespace: 'kube-system', name: 'waiting', reason: 'no room' },
    { namespace: 'kube-system', name: 'new', node: 'one', reason: 'Pending' },
  ]);
});

test('warnings of the last minutes, the newest first, each once, without those that mean nothing', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const event = (reason: string, minutes: number, message = reason, kind = 'Pod') => ({
    involvedObject: { kind, name: 'a', namespace: 'default' },
    reason,
    message,
    lastTimestamp: new Date(now.getTime() - minutes * 60_000).toISOString(),
  });
  const series = { ...event('Series', 60), series: { lastObservedTime: '2026-11-15T11:58:30Z' } };
  const items = [
    event('Old', 20),
    event('BackOff', 5, 'before'),
    event('BackOff', 1, 'now'),
    event('CgroupV1', 1),
    event('Broken', 3, 'x', 'Node'),
    series,
  ];
  expect(recentWarnings({ items }, now)).toEqual([
    { object: 'Pod/default/a', reason: 'BackOff', message: 'now' },
    { object: 'Pod/default/a', reason: 'Series', message: 'Series' },
    { object: 'Node/a', reason: 'Broken', message: 'x' },
  ]);
});
