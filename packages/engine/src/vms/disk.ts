import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { CommandError } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { bootFilesOf, qcow2Bytes } from '../images/boot-files.ts';
import { type MachineRecord, machineFolder } from '../machines/record.ts';
import { createFile, createFileFor } from '../storage/folders.ts';
import { type Bind, hypervisorLayers, inside, runTool } from './hypervisor.ts';

const mebibyte = 1024 ** 2;
/** Thin: a VM uses what it has written. */
export const defaultDiskMebibytes = 20 * 1024;

/** The disks of a VM. Its user can write to them, but neither add nor replace one. */
export function diskFolder(name: string): string {
  return join(machineFolder(name), 'disks');
}

const rootFile = 'root.qcow2';

export function rootDisk(name: string): string {
  return join(diskFolder(name), rootFile);
}

/** The size that a VM last ran with; absent until its first start. */
export function runningSizePath(name: string): string {
  return join(machineFolder(name), 'running-size.json');
}

/** The file that the disk of a VM is based on. */
export function baseDisk({ image }: Pick<MachineRecord, 'image'>): string {
  return bootFilesOf(image.layers[0] ?? '').disk;
}

/** Creates the disk of a VM that has never run, and grows that of a VM that does not run to the recorded size. */
export async function prepareDisk(record: MachineRecord): Promise<void> {
  const { name } = record;
  if (!existsSync(baseDisk(record))) throw cannotRun(name, `${baseDisk(record)} is missing`);
  if (existsSync(runningSizePath(name)) && !existsSync(rootDisk(name)))
    throw cannotRun(name, `${rootDisk(name)} is missing`);
  const bytes = diskBytes(record);
  if (!existsSync(rootDisk(name))) await createDisk(record, bytes);
  faultPoint('machine.disk.created');
  if ((await qcow2Bytes(rootDisk(name))) >= bytes) return;
  await diskTool(record, ['resize', '-q', join(inside.disks, rootFile), String(bytes)]);
}

async function createDisk(record: MachineRecord, bytes: number): Promise<void> {
  await mkdir(diskFolder(record.name), { recursive: true, mode: 0o755 });
  await createFile(rootDisk(record.name), async (file) => {
    await createFileFor(uidOf(record), file);
    const base = ['-b', join(inside.base, 'disk.qcow2'), '-F', 'qcow2'];
    await diskTool(record, ['create', '-q', '-f', 'qcow2', ...base, join(inside.disks, basename(file)), String(bytes)]);
    faultPoint('machine.disk.formatted');
  });
}

async function diskTool(record: MachineRecord, args: readonly string[]): Promise<void> {
  await runDiskTool(record, ['qemu-img', ...args]).catch((error: unknown) => {
    throw error instanceof CommandError ? cannotRun(record.name, error.stderr.trim().replace(/\s+/g, ' ')) : error;
  });
}

/** Runs a tool as the user of a VM that does not run. It sees the disks of the VM and what they are based on. */
export async function runDiskTool(
  record: MachineRecord,
  args: readonly string[],
  binds: readonly Bind[] = [],
): Promise<string> {
  const { name, vm } = record;
  return runTool(args, {
    machine: name,
    uid: uidOf(record),
    hypervisor: await hypervisorLayers(vm?.hypervisor ?? []),
    binds: [
      { source: diskFolder(name), destination: inside.disks },
      { source: dirname(baseDisk(record)), destination: inside.base, isReadOnly: true },
      ...binds,
    ],
  });
}

export function cannotRun(name: string, reason: string): ProblemError {
  return new ProblemError(problem('NOVA7112', { name, reason }));
}

export function uidOf({ name, vm }: MachineRecord): number {
  if (!vm) throw new Error(`${name} is not a VM`);
  return vm.uid;
}

export const diskBytes = ({ diskMebibytes = defaultDiskMebibytes }: MachineRecord): number => diskMebibytes * mebibyte;
