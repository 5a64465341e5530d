import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, stat, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, run } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { type MachineRecord, machineFolder } from './record.ts';

const mebibyte = 1024 ** 2;
/** The log of XFS is in the image and not in the size that `df` shows. */
const logMebibytes = 64;

/** The program of the package xfsprogs that `canLimitDisks` looks for. */
export const formatProgram = 'mkfs.xfs';

/** Whether the kernel can mount an XFS image. */
export async function canMountImages(): Promise<boolean> {
  const filesystems = await readFile('/proc/filesystems', 'utf8').catch(() => '');
  const hasXfs = /\bxfs\b/.test(filesystems) || (await attempt('modprobe', ['--dry-run', 'xfs']).catch(() => false));
  return hasXfs && existsSync('/dev/loop-control');
}

/** Whether this host can limit the disks of machines. */
export async function canLimitDisks(): Promise<boolean> {
  const hasProgram = await attempt('sh', ['-c', 'command -v "$1"', 'check', formatProgram]);
  return hasProgram && (await canMountImages());
}

/** Where the machine's own files are: on an image of its own if its disk is limited. */
export function writableFolder({ name, isDiskLimited }: Pick<MachineRecord, 'name' | 'isDiskLimited'>): string {
  return isDiskLimited ? diskPlace(name) : machineFolder(name);
}

/** Creates the image of a limited disk, mounts it, and gives it the size in the record. */
export async function mountDisk(record: MachineRecord): Promise<void> {
  if (!record.isDiskLimited) return;
  const [image, place] = [diskImage(record.name), diskPlace(record.name)];
  if (!existsSync(image)) await createImage(image, imageBytes(record));
  await mkdir(place, { recursive: true });
  // The loop device ends with its last mount, also when this process is killed.
  if (!(await isMounted(place))) await run('mount', ['-t', 'xfs', '-o', 'loop,discard', image, place]);
  faultPoint('machine.disk.mounted');
  await growDisk(record);
}

/** Gives a mounted disk the size in the record, also while the machine runs. */
export async function growDisk(record: MachineRecord): Promise<void> {
  if (!record.isDiskLimited) return;
  const [image, place] = [diskImage(record.name), diskPlace(record.name)];
  const { blocks, bsize } = await statfs(place);
  if (blocks * bsize >= diskBytes(record)) return;
  await truncate(image, imageBytes(record));
  faultPoint('machine.disk.extended');
  for (const device of await loopDevices(image)) await run('losetup', ['--set-capacity', device]);
  await run('xfs_growfs', [place]);
}

/**
 * After the machine's root: that is on this disk. Services of the host may have copies of the mount, in namespaces of their
 * own: the next mount uses the same loop device, and the kernel removes the copies with the folder.
 */
export async function unmountDisk(name: string): Promise<void> {
  while (await attempt('umount', ['--lazy', diskPlace(name)])) {
    // As often as it was mounted.
  }
}

/** Sparse: it takes the space of what is written to it. Under its name only once it is complete. */
async function createImage(image: string, bytes: number): Promise<void> {
  const unfinished = `${image}.new`;
  const file = await open(unfinished, 'w', 0o600);
  await file.truncate(bytes);
  await file.close();
  await run(formatProgram, ['-q', '-f', '-K', '-l', `size=${logMebibytes}m`, unfinished]);
  faultPoint('machine.disk.formatted');
  await rename(unfinished, image);
}

async function loopDevices(image: string): Promise<string[]> {
  const text = await run('losetup', ['--noheadings', '--output', 'NAME', '--associated', image]);
  return text.split('\n').filter((line) => line !== '');
}

async function isMounted(place: string): Promise<boolean> {
  return (await stat(place)).dev !== (await stat(join(place, '..'))).dev;
}

export const diskImage = (name: string): string => join(machineFolder(name), 'disk.img');
const diskPlace = (name: string): string => join(machineFolder(name), 'disk');
const diskBytes = ({ diskMebibytes = 0 }: MachineRecord): number => diskMebibytes * mebibyte;
const imageBytes = (record: MachineRecord): number => diskBytes(record) + logMebibytes * mebibyte;
