import type { Text } from '@nova-platform/api';
import type { MachineKind } from '@nova-platform/contracts/engine';
import type { MachineRecord } from '../machines/record.ts';
import type { AttachedDisk } from './disks.ts';
import type { SnapshotRecord } from './snapshots.ts';

/** The storage of one kind of machine. Calls for a machine run one after another. */
export interface DiskDriver {
  /** Creates an empty disk in its folder. */
  create(folder: string, sizeMebibytes: number): Promise<void>;
  /** Completes or reverts what a killed engine left. The machine may run. */
  recover(machine: MachineRecord): Promise<void>;
  /** Gives a running machine its recorded disks, in their recorded sizes. */
  apply(machine: MachineRecord): Promise<void>;
  /** Takes a disk from a machine; rejects while something still uses the disk. */
  take(machine: MachineRecord, disk: AttachedDisk, isRunning: boolean): Promise<void>;
  /** Takes a disk from a machine that is deleted. */
  release(disk: AttachedDisk): Promise<void>;
  /** Why the machine cannot have snapshots. */
  snapshotRefusal(machine: MachineRecord): Text | undefined;
  /** Snapshots are about to be created or deleted: a later `recover` removes what belongs to none of them. */
  beginChange(machine: MachineRecord): Promise<void>;
  /** Copies the machine's own disk and these ones. Returns whether their file systems were consistent meanwhile. */
  snapshot(machine: MachineRecord, disks: readonly AttachedDisk[], copy: SnapshotCopy): Promise<boolean>;
  /** Gives a stopped machine its disks from a snapshot: all of them or none. */
  restore(machine: MachineRecord, snapshot: SnapshotRecord): Promise<void>;
  /** What a snapshot uses on the host, besides what it shares with the disks. */
  snapshotBytes(machine: MachineRecord, snapshot: SnapshotRecord): Promise<number>;
  /** Copies the disk of a stopped machine into the folder of a new template, and returns the layers of the template. */
  copyTo(machine: MachineRecord, template: string, folder: string): Promise<string[]>;
}

/** A snapshot that is being created. */
export interface SnapshotCopy {
  id: string;
  folder: string;
  isRunning: boolean;
}

export type DiskDrivers = Readonly<Record<MachineKind, DiskDriver>>;
