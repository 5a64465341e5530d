import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MachineKind } from '@nova-platform/contracts/engine';
import { namesIn, ParsedRecords, writeRecord } from '../files.ts';
import { paths } from '../paths.ts';
import type { VolumeMount } from '../volumes.ts';
import type { CloudConfig } from './cloud-config.ts';

/** The connection of a machine to a network. */
export interface NetworkCard {
  network: string;
  address: string;
  mac: string;
  /** Additional source networks. */
  allowedNetworks?: string[];
}

interface VmRecord {
  /** The user that QEMU runs as; no other VM has it. */
  uid: number;
  /** The layers of the image with QEMU when the VM was created: a later one is used if it is built. */
  hypervisor: string[];
}

/**
 * The desired state of a machine. It is written before anything of the machine is created, and removed after everything
 * else is deleted.
 */
export interface MachineRecord {
  name: string;
  kind: MachineKind;
  hostname: string;
  image: { name: string; digest: string; layers: string[] };
  /** Without one, the machine is in no network. */
  card?: NetworkCard;
  cpu: number;
  memoryMebibytes: number;
  diskMebibytes?: number;
  /** Whether the host could limit the disk when the machine was created. */
  isDiskLimited?: boolean;
  machineId: string;
  cloudConfig: CloudConfig;
  volumes?: VolumeMount[];
  /** Only of a VM. */
  vm?: VmRecord;
  /** Absent for machines of older releases. */
  createdAt?: string;
  wanted: 'running' | 'stopped' | 'gone';
}

const folder = join(paths.state, 'machines');

export function machineFolder(name: string): string {
  return join(folder, name);
}

function recordPath(name: string): string {
  return join(machineFolder(name), 'machine.json');
}

const records = new ParsedRecords((stored) => currentRecord(stored as MachineRecord | FlatRecord));

/** Later calls return the same record, which is frozen. */
export function readMachine(name: string): Promise<MachineRecord | undefined> {
  return records.read(recordPath(name));
}

/** A record of a release in which every machine was a container with one network card. */
type FlatRecord = Omit<MachineRecord, 'kind' | 'card'> & NetworkCard;

export function currentRecord(record: MachineRecord | FlatRecord): MachineRecord {
  if ('kind' in record) return record;
  const { network, address, mac, allowedNetworks, ...rest } = record;
  return {
    ...rest,
    kind: 'container',
    card: { network, address, mac, ...(allowedNetworks && { allowedNetworks }) },
  };
}

export function writeMachine(record: MachineRecord): Promise<void> {
  return writeRecord(recordPath(record.name), record);
}

export async function readMachines(): Promise<MachineRecord[]> {
  return records.readAll((await namesIn(folder)).map(recordPath));
}

/** The PID of the machine's init process on the host; empty if it never ran. */
export async function machinePid(name: string): Promise<string> {
  return readFile(join(machineFolder(name), 'pid'), 'utf8').catch(() => '');
}
