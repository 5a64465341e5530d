import type { MachineStatus } from './views.ts';

type Sized = Pick<MachineStatus, 'kind' | 'memoryMebibytes'>;
type Running = Sized & Pick<MachineStatus, 'state'>;

/** What QEMU needs for a VM besides its memory: buffers, its own code and translated code of the guest. */
export const vmOverheadMebibytes = 256;

/** The memory that a machine takes from the host. */
export function hostMebibytes({ kind, memoryMebibytes }: Sized): number {
  return memoryMebibytes + (kind === 'vm' ? vmOverheadMebibytes : 0);
}

/** The memory of the running machines, used or not. */
export function allocatedMemory(machines: readonly Running[]): number {
  const running = machines.filter(({ state }) => state === 'running');
  return running.reduce((sum, machine) => sum + hostMebibytes(machine) * 1024 ** 2, 0);
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
  machines: readonly Running[],
): number {
  return Math.max(0, Math.min(freeBytes, totalBytes - allocatedMemory(machines)));
}
