import type { MachineStatus } from './views.ts';

type Sized = Pick<MachineStatus, 'state' | 'memoryMebibytes'>;

/** The memory of the running machines, used or not. */
export function allocatedMemory(machines: readonly Sized[]): number {
  const running = machines.filter(({ state }) => state === 'running');
  return running.reduce((sum, { memoryMebibytes }) => sum + memoryMebibytes * 1024 ** 2, 0);
}

/**
 * The memory for new machines, in the engine and in the preflight of Universe: the free memory of the host, but no more
 * than its total memory without that of the running machines. Page cache counts as free.
 *
 * Other programs of the host count only with what they use now, and only in the free memory: what they use is not
 * subtracted from memory that machines have, but do not use yet. The host is overcommitted if all machines use all of
 * their memory while other programs use more than the rest.
 */
export function availableMemory(
  { totalBytes, freeBytes }: { totalBytes: number; freeBytes: number },
  machines: readonly Sized[],
): number {
  return Math.max(0, Math.min(freeBytes, totalBytes - allocatedMemory(machines)));
}
