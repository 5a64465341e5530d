import { expect, test } from 'vitest';
import { nodeView } from './kubernetes-node.ts';

const gibibyte = 1024 ** 3;
const pod = (name: string, phase: string, isReady: boolean, requests: Record<string, string> = {}) => ({
  metadata: { name, namespace: 'shop' },
  spec: {
    containers: [{ resources: { requests } }],
    initContainers: [{ resources: { requests: { memory: '64Mi' } } }],
  },
  status: {
    phase,
    startTime: '2026-11-15T11:00:00Z',
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', message: 'containers with unready status' }],
    containerStatuses: [
      { state: {}, restartCount: 2 },
      { state: {}, restartCount: 1 },
    ],
  },
});
const node = {
  spec: { unschedulable: true },
  status: {
    conditions: [
      { type: 'MemoryPressure', status: 'True', message: 'little left' },
      { type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.' },
      { type: 'DiskPressure', status: 'False', message: 'enough' },
    ],
    allocatable: { cpu: '1900m', memory: '3Gi', pods: '110' },
  },
};

test('a node has its conditions, Ready first, and its cordon', () => {
  const { conditions, isCordoned } = nodeView(node, []);
  expect(isCordoned).toBe(true);
  expect(conditions).toEqual([
    { type: 'Ready', isMet: false, isGood: false, message: 'Kubelet stopped posting node status.' },
    { type: 'MemoryPressure', isMet: true, isGood: false, message: 'little left' },
    { type: 'DiskPressure', isMet: false, isGood: true, message: 'enough' },
  ]);
});

test('requests are those of active pods, usage is that of the metrics server', () => {
  const pods = [
    pod('web', 'Running', true, { cpu: '250m', memory: '1Gi' }),
    pod('small', 'Running', true),
    pod('job', 'Succeeded', false, { cpu: '4', memory: '8Gi' }),
  ];
  const view = nodeView(node, pods, { cpu: '123456789n', memory: '512Mi' });
  expect(view.allocatable).toEqual({ cpu: 1.9, memoryBytes: 3 * gibibyte, pods: 110 });
  // The init container of `small` needs more than its main container.
  expect(view.requested).toEqual({ cpu: 0.25, memoryBytes: gibibyte + 64 * 1024 ** 2 });
  expect(view.used?.cpu).toBeCloseTo(0.123, 3);
  expect(view.used?.memoryBytes).toBe(gibibyte / 2);
});

test('unready pods come first, with the reason', () => {
  const pods = [pod('a', 'Running', true), pod('b', 'Pending', false)];
  expect(nodeView(node, pods).pods).toEqual([
    {
      namespace: 'shop',
      name: 'b',
      phase: 'Pending',
      isReady: false,
      restarts: 3,
      startedAt: '2026-11-15T11:00:00.000Z',
      reason: 'containers with unready status',
    },
    {
      namespace: 'shop',
      name: 'a',
      phase: 'Running',
      isReady: true,
      restarts: 3,
      startedAt: '2026-11-15T11:00:00.000Z',
    },
  ]);
});
