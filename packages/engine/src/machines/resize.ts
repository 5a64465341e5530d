import { ProblemError, problem, quantityText } from '@nova-platform/api';
import { readDisks } from '../storage/disks.ts';
import { sizeProblems } from '../storage/space.ts';
import { hasKvm } from '../vms/kvm.ts';
import { assertFreeMemory } from './memory.ts';
import { type MachineRecord, readMachines } from './record.ts';

export interface MachineSize {
  cpu?: number | undefined;
  memoryMebibytes?: number | undefined;
  diskMebibytes?: number | undefined;
}

type RecordedSize = Pick<MachineRecord, 'cpu' | 'memoryMebibytes' | 'diskMebibytes'>;

/** The size of a machine after a change. Refuses one that the machine or the host cannot have. */
export async function sizeAfter(before: MachineRecord, wanted: MachineSize): Promise<RecordedSize> {
  const { cpu = before.cpu, memoryMebibytes = before.memoryMebibytes } = wanted;
  const diskMebibytes = wanted.diskMebibytes ?? before.diskMebibytes;
  assertDiskGrows(before, diskMebibytes);
  const machines = await readMachines();
  const growth = {
    memory: memoryMebibytes - before.memoryMebibytes,
    disk: (diskMebibytes ?? 0) - (before.diskMebibytes ?? 0),
  };
  assertFreeMemory(growth.memory, machines, { hasKvm: await hasKvm() });
  const found = await sizeProblems(growth.disk, await readDisks(), machines);
  if (found.length > 0) throw new ProblemError(...found);
  return sizeOf({ cpu, memoryMebibytes, ...(diskMebibytes !== undefined && { diskMebibytes }) });
}

export function sizeOf({ cpu, memoryMebibytes, diskMebibytes }: RecordedSize): RecordedSize {
  return { cpu, memoryMebibytes, ...(diskMebibytes !== undefined && { diskMebibytes }) };
}

/** XFS cannot shrink, and files outside an image cannot be limited later. */
function assertDiskGrows({ name, diskMebibytes: before }: MachineRecord, after: number | undefined): void {
  if (after === before || after === undefined) return;
  if (before === undefined) throw new ProblemError(problem('NOVA7086', { name }));
  if (after >= before) return;
  const sizes = { before: quantityText(`${before}Mi`), after: quantityText(`${after}Mi`) };
  throw new ProblemError(problem('NOVA7085', { name, ...sizes }));
}
