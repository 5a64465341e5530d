import { expect, test } from 'vitest';
import { availableMemory } from './memory.ts';

const gibibyte = 1024 ** 3;
const running = (memoryMebibytes: number) => ({
  kind: 'container' as const,
  state: 'running' as const,
  memoryMebibytes,
});

test.each([
  ['is free memory if machines use what is allocated to them', 6, [running(2048)], 6],
  ['excludes memory that is free, but allocated to an idle machine', 15, [running(12 * 1024)], 4],
  ['is zero if more is allocated than the host has', 15, [running(12 * 1024), running(8 * 1024)], 0],
  ['includes memory of stopped machines', 15, [{ ...running(12 * 1024), state: 'stopped' as const }], 15],
])('memory for new machines %s', (_what, free, machines, available) => {
  const memory = { totalBytes: 16 * gibibyte, freeBytes: free * gibibyte };
  expect(availableMemory({ memory, hasKvm: true }, machines)).toBe(available * gibibyte);
});

test('a running VM also takes what QEMU needs, and more of it without KVM', () => {
  const memory = { totalBytes: 16 * gibibyte, freeBytes: 16 * gibibyte };
  const vm = { ...running(8192), kind: 'vm' as const };
  const available = [true, false].map((hasKvm) => availableMemory({ memory, hasKvm }, [vm]) / 1024 ** 2);
  expect(available).toEqual([8192 - 320, 8192 - 320 - 256]);
});
