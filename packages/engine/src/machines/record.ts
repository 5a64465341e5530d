import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn, readRecord, writeRecord } from '../files.ts';
import { paths } from '../paths.ts';
import type { VolumeMount } from '../volumes.ts';
import type { CloudConfig } from './cloud-config.ts';

/**
 * The desired state of a machine. It is written before anything of the machine is created, and removed after everything
 * else is deleted.
 */
export interface MachineRecord {
  name: string;
  hostname: string;
  image: { name: string; digest: string; layers: string[] };
  network: string;
  address: string;
  mac: string;
  cpu: number;
  memoryMebibytes: number;
  diskMebibytes?: number;
  /** Whether the host could limit the disk when the machine was created. */
  isDiskLimited?: boolean;
  machineId: string;
  cloudConfig: CloudConfig;
  volumes?: VolumeMount[];
  /** Additional source networks. */
  allowedNetworks?: string[];
  wanted: 'running' | 'stopped' | 'gone';
}

const folder = join(paths.state, 'machines');

export function machineFolder(name: string): string {
  return join(folder, name);
}

function recordPath(name: string): string {
  return join(machineFolder(name), 'machine.json');
}

export function readMachine(name: string): Promise<MachineRecord | undefined> {
  return readRecord<MachineRecord>(recordPath(name));
}

export function writeMachine(record: MachineRecord): Promise<void> {
  return writeRecord(recordPath(record.name), record);
}

export async function readMachines(): Promise<MachineRecord[]> {
  const records = await Promise.all((await namesIn(folder)).map(readMachine));
  return records.filter((record) => record !== undefined);
}

/** The PID of the machine's init process on the host; empty if it never ran. */
export async function machinePid(name: string): Promise<string> {
  return readFile(join(machineFolder(name), 'pid'), 'utf8').catch(() => '');
}
