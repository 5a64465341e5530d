import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { readRecord, removeRecord, writeRecord } from '../files.ts';
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
