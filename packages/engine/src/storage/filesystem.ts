import { existsSync } from 'node:fs';
import { mkdir, open, readFile, stat, statfs, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { attempt, run, stillMissing } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { createFile } from './folders.ts';

const mebibyte = 1024 ** 2;
/** The log of XFS is part of the image, but not of the size that `df` shows. */
const logMebibytes = 64;
// The kernel frees a loop device a moment after the last mount.
const freeTimeoutMilliseconds = 5000;

/** A program of the package xfsprogs; `canCreateFileSystems` looks for it. */
export const formatProgram = 'mkfs.xfs';

/** An XFS file system in a sparse file, which a loop device mounts at a place of the host. */
export interface FileSystem {
  image: string;
  place: string;
  sizeMebibytes: number;
}

/** Whether the kernel can mount an XFS image. */
export async function canMountImages(): Promise<boolean> {
  const filesystems = await readFile('/proc/filesystems', 'utf8').catch(() => '');
  const hasXfs = /\bxfs\b/.test(filesystems) || (await attempt('modprobe', ['--dry-run', 'xfs']).catch(() => false));
  return hasXfs && existsSync('/dev/loop-control');
}

/** Whether this host can create and mount XFS images. */
export async function canCreateFileSystems(): Promise<boolean> {
  const hasProgram = await attempt('sh', ['-c', 'command -v "$1"', 'check', formatProgram]);
  return hasProgram && (await canMountImages());
}

/** The image is sparse: it uses space only for written data. */
export async function createFileSystem(image: string, sizeMebibytes: number): Promise<void> {
  await createFile(image, async (unfinished) => {
    const file = await open(unfinished, 'w', 0o600);
    await file.truncate(imageBytes(sizeMebibytes));
    await file.close();
    await run(formatProgram, ['-q', '-f', '-K', '-l', `size=${logMebibytes}m`, unfinished]);
    faultPoint('disk.formatted');
  });
}

/** Mounts the file system unless it is mounted, and grows it to its size. */
export async function mountFileSystem(fileSystem: FileSystem): Promise<void> {
  const { image, place } = fileSystem;
  await mkdir(place, { recursive: true });
  // The kernel detaches the loop device with its last mount, even if this process is killed. A restored image has the
  // UUID of the one before, which a process may still hold.
  if (!(await isMounted(place))) await run('mount', ['-t', 'xfs', '-o', 'loop,discard,nouuid', image, place]);
  faultPoint('disk.mounted');
  await growFileSystem(fileSystem);
}

/** Grows a mounted file system to its size, also while programs use it. */
export async function growFileSystem({ image, place, sizeMebibytes }: FileSystem): Promise<void> {
  const { blocks, bsize } = await statfs(place);
  if (blocks * bsize >= sizeMebibytes * mebibyte) return;
  await truncate(image, imageBytes(sizeMebibytes));
  faultPoint('disk.extended');
  for (const device of await loopDevices(image)) await run('losetup', ['--set-capacity', device]);
  await run('xfs_growfs', [place]);
}

/**
 * Root in a machine can freeze the file systems of the machine. A frozen one keeps its programs from exiting, and its
 * loop device from being freed.
 */
export async function thaw(place: string): Promise<void> {
  if (await isMounted(place)) await attempt('xfs_freeze', ['-u', place]);
}

/** Removes all mounts at the place. */
export async function unmountFileSystem(place: string): Promise<void> {
  await thaw(place);
  while (await attempt('umount', ['--lazy', place])) {
    // Until no mount is left.
  }
}

/** Whether the image is in use: mounted, or by a process that still has a file of it open. Waits a little. */
export async function isImageInUse(image: string): Promise<boolean> {
  const devices = async () => ((await loopDevices(image)).length > 0 ? true : undefined);
  return (await stillMissing(devices, { every: 20, within: freeTimeoutMilliseconds })) !== undefined;
}

export async function isMounted(place: string): Promise<boolean> {
  const device = (path: string) =>
    stat(path).then(
      ({ dev }) => dev,
      () => undefined,
    );
  const own = await device(place);
  return own !== undefined && own !== (await device(dirname(place)));
}

async function loopDevices(image: string): Promise<string[]> {
  // Without its folder the image has no device.
  if (!existsSync(dirname(image))) return [];
  const text = await run('losetup', ['--noheadings', '--output', 'NAME', '--associated', image]);
  return text.split('\n').filter((line) => line !== '');
}

function imageBytes(sizeMebibytes: number): number {
  return (sizeMebibytes + logMebibytes) * mebibyte;
}
