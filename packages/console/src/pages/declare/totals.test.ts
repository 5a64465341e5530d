import type { MachineChange } from '@nova-platform/change/schema';
import { plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { neededBy, totalsOf } from './totals.ts';

const gibibyte = 1024 ** 3;

test('the totals of a plan count every machine', () => {
  const planned = plan({
    nodeGroups: [
      { name: 'main', roles: ['control-plane', 'infra', 'ingress', 'worker'], cpu: 2, memory: '4Gi', disk: '20Gi' },
      { name: 'work', roles: ['worker'], count: 3, cpu: 4, memory: '1536Mi', disk: '10Gi' },
    ],
  });
  expect(totalsOf(planned)).toEqual({ cpu: 14, memoryBytes: 8.5 * gibibyte, diskBytes: 50 * gibibyte });
});

const planned = plan({
  nodeGroups: [
    { name: 'main', roles: ['control-plane', 'infra', 'ingress', 'worker'], cpu: 2, memory: '4Gi', disk: '20Gi' },
    { name: 'work', roles: ['worker'], count: 2, cpu: 2, memory: '2Gi', disk: '10Gi' },
  ],
});
const machine = (name: string) => ({ name, address: '10.0.0.1', isControlPlane: false });
const sized = { size: { cpu: 2, memory: '2Gi', disk: '10Gi' }, isDiskEnforced: true };

test('a new machine needs its memory and its disk, a started one only its memory', () => {
  const machines: MachineChange[] = [
    { ...machine('demo-work-1'), ...sized, action: 'create' },
    { ...machine('demo-main-1'), action: 'start' },
  ];
  expect(neededBy({ machines }, planned)).toEqual({ memoryBytes: 6 * gibibyte, diskBytes: 10 * gibibyte });
});

test('a resized machine needs what it grows by, a removed one frees nothing in advance', () => {
  const fields = [
    { name: 'memory', before: '2Gi', after: '5Gi' },
    { name: 'disk', before: '20Gi', after: '10Gi' },
  ];
  const machines: MachineChange[] = [
    { ...machine('demo-work-1'), ...sized, action: 'resize', fields, isLive: true },
    { ...machine('demo-work-2'), action: 'remove' },
  ];
  expect(neededBy({ machines }, planned)).toEqual({ memoryBytes: 3 * gibibyte, diskBytes: 0 });
});

test('a machine that is resized and started needs its new memory once', () => {
  const fields = [{ name: 'memory', before: '1Gi', after: '2Gi' }];
  const machines: MachineChange[] = [
    { ...machine('demo-work-1'), action: 'start' },
    { ...machine('demo-work-1'), ...sized, action: 'resize', fields, isLive: false },
  ];
  expect(neededBy({ machines }, planned)).toEqual({ memoryBytes: 2 * gibibyte, diskBytes: 0 });
});
