import { join } from 'node:path';
import type { Snapshot } from '@nova-platform/contracts/engine';
import { readRecord, writeRecord } from '../files.ts';
import { machineFolder } from '../machines/record.ts';
import { foldersIn } from './folders.ts';

/** A snapshot, in a folder of its own in the machine's folder. */
export interface SnapshotRecord {
  id: string;
  name: string;
  description: string;
  createdAt: string;
  /** The additional disks that it contains. */
  disks: { id: string; name: string }[];
  isFrozen: boolean;
}

export const maxSnapshots = 32;

export const snapshotsFolder = (machine: string): string => join(machineFolder(machine), 'snapshots');

export const snapshotFolder = (machine: string, name: string): string => join(snapshotsFolder(machine), name);

export function readSnapshot(machine: string, name: string): Promise<SnapshotRecord | undefined> {
  return readRecord<SnapshotRecord>(recordIn(snapshotFolder(machine, name)));
}

/** The snapshots of a machine, the oldest first. */
export async function readSnapshots(machine: string): Promise<SnapshotRecord[]> {
  const names = await foldersIn(snapshotsFolder(machine));
  const records = await Promise.all(names.map((name) => readSnapshot(machine, name)));
  return records
    .filter((record) => record !== undefined)
    .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
}

export function writeSnapshot(record: SnapshotRecord, folder: string): Promise<void> {
  return writeRecord(recordIn(folder), record);
}

export function snapshotView(record: SnapshotRecord, usedBytes: number): Snapshot {
  return { ...record, disks: record.disks.map(({ name }) => name), usedBytes };
}

const recordIn = (folder: string): string => join(folder, 'snapshot.json');
