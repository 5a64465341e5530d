import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { integrationName } from '@nova-platform/contracts/engine';
import { readRecord, removeRecord, writeRecord } from '../files.ts';
import { type MachineRecord, readMachines } from '../machines/record.ts';
import { paths } from '../paths.ts';

interface Maintenance {
  /** When it began. */
  since: string;
}

const file = join(paths.state, 'maintenance.json');

/** While the record exists, no machine runs. The records of machines still tell which of them should run afterwards. */
export function readMaintenance(): Promise<Maintenance | undefined> {
  return readRecord<Maintenance>(file);
}

export function writeMaintenance(maintenance: Maintenance): Promise<void> {
  return writeRecord(file, maintenance);
}

export function removeMaintenance(): Promise<void> {
  return removeRecord(file);
}

export async function assertNoMaintenance(): Promise<void> {
  const maintenance = await readMaintenance();
  if (maintenance) throw new ProblemError(problem('NOVA7140', { since: maintenance.since }));
}

export async function machinesToRun(): Promise<MachineRecord[]> {
  return (await readMachines()).filter(({ wanted }) => wanted === 'running');
}

/** The machines of the platform, and all others. */
export function byOwner(machines: readonly MachineRecord[]): [platform: MachineRecord[], others: MachineRecord[]] {
  const isOfPlatform = ({ card }: MachineRecord) => card?.network === integrationName;
  return [machines.filter(isOfPlatform), machines.filter((each) => !isOfPlatform(each))];
}
