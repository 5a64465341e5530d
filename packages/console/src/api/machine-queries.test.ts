import { expect, test } from 'vitest';
import { machineOf } from './machine-queries.ts';

test('only operations on machines lock a machine', () => {
  expect(machineOf('machine.web')).toBe('web');
  expect(machineOf('shop')).toBeUndefined();
  expect(machineOf('registry.images')).toBeUndefined();
});
