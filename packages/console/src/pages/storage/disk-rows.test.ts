import { expect, test } from 'vitest';
import { rowsOf } from './disk-rows.ts';

const disk = { format: 'block', sizeMebibytes: 1024, usedBytes: 10, createdAt: '2026-11-18T09:00:00.000Z' } as const;

test('the system disks of machines come before the additional disks', () => {
  const rows = rowsOf(
    [{ name: 'web', diskMebibytes: 2048 }, { name: 'unlimited' }],
    [{ ...disk, id: '1', name: 'web', machine: 'web' }],
  );
  expect(rows.map(({ key, isSystem, machine }) => [key, isSystem, machine])).toEqual([
    ['system web', true, 'web'],
    ['web', false, 'web'],
  ]);
});

test('only additional disks of no cluster can be changed', () => {
  const free = { ...disk, id: '1', name: 'free' };
  const rows = rowsOf(
    [{ name: 'web', diskMebibytes: 2048 }],
    [free, { ...disk, id: '2', name: 'used', cluster: 'demo' }],
  );
  expect(rows.map((row) => row.disk)).toEqual([undefined, free, undefined]);
});
