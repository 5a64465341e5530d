import { ProblemError, problem, quantityText } from '@nova-platform/api';
import { assertHolds } from '../storage/space.ts';
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
  if (diskMebibytes !== undefined && diskMebibytes !== before.diskMebibytes)
    await assertHolds(before.name, diskMebibytes);
  const growth = memoryMebibytes - before.memoryMebibytes;
  assertFreeMemory(growth, await readMachines(), { hasKvm: await hasKvm() });
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
