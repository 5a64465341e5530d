import type { HostFeatures, MachineStatus } from './views.ts';

type Sized = Pick<MachineStatus, 'kind' | 'memoryMebibytes'>;
type Running = Sized & Pick<MachineStatus, 'state'>;
type Host = Pick<HostFeatures, 'hasKvm'> & { memory: { totalBytes: number; freeBytes: number } };

/** What QEMU needs besides the memory of its VM: for devices and buffers of disks. */
const qemuMebibytes = 320;
/** The cache of translated code of emulated processors. Without a limit QEMU takes hundreds of megabytes more. */
export const translationMebibytes = 256;

/** The memory that a machine takes from the host, with that of QEMU. */
export function hostMebibytes({ kind, memoryMebibytes }: Sized, hasKvm: boolean): number {
  if (kind === 'container') return memoryMebibytes;
  return memoryMebibytes + qemuMebibytes + (hasKvm ? 0 : translationMebibytes);
}

/** The memory of the running machines, used or not. */
export function allocatedMemory(machines: readonly Running[], hasKvm: boolean): number {
  const running = machines.filter(({ state }) => state === 'running');
  return running.reduce((sum, machine) => sum + hostMebibytes(machine, hasKvm) * 1024 ** 2, 0);
}

/**
 * The memory for new machines, in the engine and in the preflight of Universe: the free memory of the host, but no more
 * than its total memory without that of the running machines. Page cache counts as free.
 *
 * Other programs of the host count only with what they use now, and only in the free memory: what they use is not
 * subtracted from memory that machines have, but do not use yet. The host is overcommitted if all machines use all of
 * their memory while other programs use more than the rest.
 */
export function availableMemory({ memory, hasKvm }: Host, machines: readonly Running[]): number {
  return Math.max(0, Math.min(memory.freeBytes, memory.totalBytes - allocatedMemory(machines, hasKvm)));
}
