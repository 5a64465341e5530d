import { type Problem, problem } from '@nova-platform/api';
import type { MachineRecord } from '../machines/record.ts';
import { canHoldVolume } from '../volumes.ts';
import { type AttachedDisk, type Attachment, type DiskRecord, slots } from './disks.ts';
import { canCreateFileSystems } from './filesystem.ts';

/** The format of the disks that a kind of machine can have. */
const formats = { container: 'filesystem', vm: 'block' } as const;

/** All reasons why a disk cannot be attached to a machine. */
export async function attachProblems(
  disk: DiskRecord,
  machine: MachineRecord,
  path: string | undefined,
  attached: readonly AttachedDisk[],
): Promise<Problem[]> {
  const { name, format, attachment } = disk;
  const found: Problem[] = [];
  if (attachment) found.push(problem('NOVA7120', { name, machine: attachment.machine }));
  if (format !== formats[machine.kind])
    found.push(problem('NOVA7122', { name, format, machine: machine.name, kind: machine.kind }));
  if (machine.kind === 'container' && path === undefined)
    found.push(problem('NOVA7123', { name, machine: machine.name }));
  if (machine.kind === 'vm' && path !== undefined) found.push(problem('NOVA7129', { machine: machine.name }));
  if (path !== undefined && (!canHoldVolume(path) || pathsOf(machine, attached).includes(path)))
    found.push(problem('NOVA7121', { path }));
  if (freeSlot(attached) === undefined)
    found.push(problem('NOVA7130', { machine: machine.name, limit: String(slots.length) }));
  if (format === 'filesystem' && !(await canCreateFileSystems())) found.push(problem('NOVA7125', {}));
  return found;
}

/** The attachment of a disk without problems. */
export function attachmentTo(
  machine: MachineRecord,
  path: string | undefined,
  attached: readonly AttachedDisk[],
): Attachment {
  return { machine: machine.name, slot: freeSlot(attached) ?? 0, ...(path !== undefined && { path }) };
}

function freeSlot(attached: readonly AttachedDisk[]): number | undefined {
  return slots.find((slot) => attached.every(({ attachment }) => attachment.slot !== slot));
}

function pathsOf({ volumes = [] }: MachineRecord, attached: readonly AttachedDisk[]): string[] {
  return [...volumes.map(({ path }) => path), ...attached.flatMap(({ attachment }) => attachment.path ?? [])];
}
