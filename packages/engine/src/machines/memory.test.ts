import { describe as inWords, type ProblemError } from '@nova-platform/api';
import { expect, test } from 'vitest';
import { assertFreeMemory } from './memory.ts';
import type { MachineRecord } from './record.ts';

const gibibyte = 1024 ** 3;
const host = { memory: { totalBytes: 16 * gibibyte, freeBytes: 15 * gibibyte }, hasKvm: true };
const machine = (memoryMebibytes: number, wanted: MachineRecord['wanted'] = 'running') => ({
  kind: 'container' as const,
  wanted,
  memoryMebibytes,
});

function refusal(neededMebibytes: number, machines: Parameters<typeof assertFreeMemory>[1]): string | undefined {
  try {
    assertFreeMemory(neededMebibytes, machines, host);
    return undefined;
  } catch (error) {
    return (error as ProblemError).problems.map((each) => inWords(each, 'en').message).join();
  }
}

test('memory that idle machines do not use yet is not available', () => {
  expect(refusal(4096, [machine(12 * 1024)])).toBeUndefined();
  expect(refusal(4097, [machine(12 * 1024)])).toMatch(/^Not enough memory on this host: 4 GiB available/);
});

test('memory of stopped and deleted machines is available', () => {
  expect(refusal(8192, [machine(12 * 1024, 'stopped'), machine(12 * 1024, 'gone')])).toBeUndefined();
});

test('no more than the free memory of the host is available', () => {
  expect(refusal(15 * 1024, [])).toBeUndefined();
  expect(refusal(15 * 1024 + 1, [])).toMatch(/15 GiB available/);
});

test('a machine that shrinks is never refused', () => {
  expect(refusal(-1024, [machine(32 * 1024)])).toBeUndefined();
});
