import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  createFileSystem,
  type FileSystem,
  growFileSystem,
  mountFileSystem,
  unmountFileSystem,
} from '../storage/filesystem.ts';
import { type MachineRecord, machineFolder } from './record.ts';

/** The folder of the machine's own files: on a separate image if its disk is limited. */
export function writableFolder({ name, isDiskLimited }: Pick<MachineRecord, 'name' | 'isDiskLimited'>): string {
  return isDiskLimited ? diskPlace(name) : machineFolder(name);
}

/** Creates and mounts the image of a limited disk, and grows it to the recorded size. */
export async function mountDisk(record: MachineRecord): Promise<void> {
  if (!record.isDiskLimited) return;
  const disk = diskOf(record);
  if (!existsSync(disk.image)) await createFileSystem(disk.image, disk.sizeMebibytes);
  await mountFileSystem(disk);
}

/** Grows a mounted disk to the recorded size, also while the machine runs. */
export async function growDisk(record: MachineRecord): Promise<void> {
  if (record.isDiskLimited) await growFileSystem(diskOf(record));
}

/**
 * Call it after the machine's root is unmounted, which is on this disk. Host services may have copies of the mount in
 * their own namespaces: the next mount reuses the loop device, and the kernel removes the copies with the folder.
 */
export async function unmountDisk(name: string): Promise<void> {
  await unmountFileSystem(diskPlace(name));
}

export const diskImage = (name: string): string => join(machineFolder(name), 'disk.img');
export const diskPlace = (name: string): string => join(machineFolder(name), 'disk');

function diskOf({ name, diskMebibytes = 0 }: MachineRecord): FileSystem {
  return { image: diskImage(name), place: diskPlace(name), sizeMebibytes: diskMebibytes };
}
