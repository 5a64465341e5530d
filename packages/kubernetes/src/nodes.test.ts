import { expect, test } from 'vitest';
import { nodesOf, publishedNames, silentSince } from './nodes.ts';

const condition = (type: string, status: string, message = '') => ({ type, status, message });

test('nodes have their Ready condition and the pressures that are true', () => {
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
      lastHeartbeatAt: new Date('2026-11-15T12:00:00Z'),
      pressures: [{ type: 'DiskPressure', message: 'little left' }],
    },
    { name: 'new', version: '', ready: 'Unknown', reason: 'it has not reported yet', pressures: [] },
  ]);
});

test('host names of ingresses are listed once, without wildcards', () => {
  const ingress = (...hosts: (string | undefined)[]) => ({
    spec: { rules: hosts.map((host) => (host ? { host } : {})) },
  });
  const items = [ingress('shop.demo', 'api.demo'), ingress('api.demo', '*.demo', undefined), { spec: {} }];
  expect(publishedNames({ items })).toEqual(['api.demo', 'shop.demo']);
});

test('a lease that is the same as before was not renewed, and one that never existed neither', () => {
  const before = new Map([
    ['one', '12:00:01'],
    ['two', '12:00:02'],
  ]);
  const now = new Map([...before, ['two', '12:00:06'], ['new', '12:00:05']] as const);
  expect(silentSince(before, now, ['one', 'two', 'new', 'absent'])).toEqual(['one', 'absent']);
});
