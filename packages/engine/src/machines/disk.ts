import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, stat, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, run } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { type MachineRecord, machineFolder } from './record.ts';

const mebibyte = 1024 ** 2;
/** The log of XFS is part of the image, but not of the size that `df` shows. */
const logMebibytes = 64;

/** A program of the package xfsprogs; `canLimitDisks` looks for it. */
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

/** The folder of the machine's own files: on a separate image if its disk is limited. */
export function writableFolder({ name, isDiskLimited }: Pick<MachineRecord, 'name' | 'isDiskLimited'>): string {
  return isDiskLimited ? diskPlace(name) : machineFolder(name);
}

/** Creates and mounts the image of a limited disk, and grows it to the recorded size. */
export async function mountDisk(record: MachineRecord): Promise<void> {
  if (!record.isDiskLimited) return;
  const [image, place] = [diskImage(record.name), diskPlace(record.name)];
  if (!existsSync(image)) await createImage(image, imageBytes(record));
  await mkdir(place, { recursive: true });
  // The kernel detaches the loop device with its last mount, even if this process is killed.
  if (!(await isMounted(place))) await run('mount', ['-t', 'xfs', '-o', 'loop,discard', image, place]);
  faultPoint('machine.disk.mounted');
  await growDisk(record);
}

/** Grows a mounted disk to the recorded size, also while the machine runs. */
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
 * Call it after the machine's root is unmounted, which is on this disk. Host services may have copies of the mount in
 * their own namespaces: the next mount reuses the loop device, and the kernel removes the copies with the folder.
 */
export async function unmountDisk(name: string): Promise<void> {
  while (await attempt('umount', ['--lazy', diskPlace(name)])) {
    // Until no mount is left.
  }
}

/** The image is sparse: it uses space only for written data. It gets its final name when it is complete. */
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
