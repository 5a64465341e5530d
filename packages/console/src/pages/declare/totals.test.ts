import { plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { totalsOf } from './totals.ts';

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
