import type { MachineStatus } from '@nova-platform/contracts/engine/client';

type Sized = Pick<MachineStatus, 'state' | 'memoryMebibytes'>;

/** The memory of the running machines, used or not. */
export function allocatedMemory(machines: readonly Sized[]): number {
  const running = machines.filter(({ state }) => state === 'running');
  return running.reduce((sum, { memoryMebibytes }) => sum + memoryMebibytes * 1024 ** 2, 0);
}

/** The memory for new machines: what idle machines do not use yet is not available, although it is free. */
export function availableMemory(
  { totalBytes, freeBytes }: { totalBytes: number; freeBytes: number },
  machines: readonly Sized[],
): number {
  return Math.max(0, Math.min(freeBytes, totalBytes - allocatedMemory(machines)));
}
