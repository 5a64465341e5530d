import { join } from 'node:path';
import type { Disk } from '@nova-platform/contracts/engine';
import { readRecord, writeRecord } from '../files.ts';
import { machineFolder } from '../machines/record.ts';
import { paths } from '../paths.ts';
import type { FileSystem } from './filesystem.ts';
import { foldersIn, usedBytes } from './folders.ts';

/** An additional disk, in a folder of its own beside its content. */
export interface DiskRecord {
  id: string;
  name: string;
  format: 'filesystem' | 'block';
  sizeMebibytes: number;
  createdAt: string;
  attachment?: Attachment;
}

export interface Attachment {
  machine: string;
  /** The place of the disk in its machine: a disk keeps it while it is attached. */
  slot: number;
  /** Where a container mounts it. */
  path?: string;
}

/** An attached disk. */
export type AttachedDisk = DiskRecord & { attachment: Attachment };

export const slots: readonly number[] = Array.from({ length: 8 }, (_, slot) => slot);

export const disksFolder: string = join(paths.state, 'disks');

export const diskFolder = (name: string): string => join(disksFolder, name);

/** The file with the content of a disk. */
export function contentOf({ name, format }: Pick<DiskRecord, 'name' | 'format'>): string {
  return contentIn(diskFolder(name), format);
}

export function contentIn(folder: string, format: DiskRecord['format']): string {
  return join(folder, format === 'filesystem' ? 'disk.img' : 'disk.qcow2');
}

export function readDisk(name: string): Promise<DiskRecord | undefined> {
  return readRecord<DiskRecord>(recordIn(diskFolder(name)));
}

export async function readDisks(): Promise<DiskRecord[]> {
  const records = await Promise.all((await foldersIn(disksFolder)).map(readDisk));
  return records.filter((record) => record !== undefined);
}

/** The disks of a machine by their slots. */
export async function disksOf(machine: string): Promise<AttachedDisk[]> {
  const attached = (await readDisks()).filter(
    (disk): disk is AttachedDisk => disk.attachment !== undefined && disk.attachment.machine === machine,
  );
  return attached.toSorted((one, other) => one.attachment.slot - other.attachment.slot);
}

export function writeDisk(record: DiskRecord, folder: string = diskFolder(record.name)): Promise<void> {
  return writeRecord(recordIn(folder), record);
}

export async function diskView(record: DiskRecord): Promise<Disk> {
  const { attachment, ...disk } = record;
  return {
    ...disk,
    usedBytes: await usedBytes(contentOf(record)),
    ...(attachment && { machine: attachment.machine }),
    ...(attachment?.path !== undefined && { path: attachment.path }),
  };
}

/** The mounts of a container's disks on the host, one folder for each slot. */
export const slotsFolder = (machine: string): string => join(machineFolder(machine), 'disks');

/** A disk of a container, mounted in its slot. */
export function fileSystemOf(disk: AttachedDisk): FileSystem {
  const { machine, slot } = disk.attachment;
  return {
    image: contentOf(disk),
    place: join(slotsFolder(machine), String(slot)),
    sizeMebibytes: disk.sizeMebibytes,
  };
}

const recordIn = (folder: string): string => join(folder, 'disk.json');
