import { basename, join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { CommandError } from '@nova-platform/process';
import { imageOf } from '../images/build.ts';
import { hypervisorName } from '../images/recipes.ts';
import type { MachineRecord } from '../machines/record.ts';
import { runDiskTool } from '../vms/disk.ts';
import { inside, runTool } from '../vms/hypervisor.ts';
import { storageUid } from '../vms/uids.ts';

// Images are input from guests and users: qemu-img reads them as an unprivileged user that sees nothing else.

/** What `qemu-img info` reports about an image. */
export interface ImageInfo {
  'virtual-size': number;
  'backing-filename'?: string;
  encrypted?: boolean;
  snapshots?: { name: string }[];
  'format-specific'?: { data?: { 'data-file'?: string } };
}

/** Where a tool finds the files of an import or export. */
export const workFolder = '/nova/run';

/** Runs qemu-img on files of one folder that no machine uses. It can also write to the folder `out`, if given. */
export async function imageTool(
  subject: string,
  folder: string,
  args: readonly string[],
  out?: string,
): Promise<string> {
  const { layers } = await imageOf(hypervisorName);
  // Never the name of a machine, and one for each folder.
  const machine = `${basename(folder)}.disk`;
  const binds = [
    { source: folder, destination: inside.disks },
    ...(out === undefined ? [] : [{ source: out, destination: workFolder }]),
  ];
  return reported(subject, runTool(['qemu-img', ...args], { machine, uid: storageUid, hypervisor: layers, binds }));
}

/** Runs qemu-img on the disks of a VM that does not run. It can write to the folder `out`, if given. */
export async function machineTool(machine: MachineRecord, args: readonly string[], out?: string): Promise<string> {
  const binds = out === undefined ? [] : [{ source: out, destination: workFolder }];
  return reported(machine.name, runDiskTool(machine, ['qemu-img', ...args], binds));
}

/** A file of the folder that a tool works on, as the tool sees it. */
export const insideDisks = (file: string): string => join(inside.disks, file);

async function reported(subject: string, work: Promise<string>): Promise<string> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const reason = error.stderr.trim().split('\n').at(-1) ?? '';
    throw new ProblemError(
      problem('NOVA7138', { name: subject, reason: reason.replace(/^qemu-img: /, '').slice(0, 300) }),
    );
  }
}
