import { join } from 'node:path';
import { readRecord, removeRecord, writeRecord } from '../files.ts';
import { paths } from '../paths.ts';

const file = join(paths.state, 'ovirt.json');

/** Whether the oVirt-compatible API runs while the engine does. The API itself cannot change this. */
export async function isOvirtOn(): Promise<boolean> {
  return (await readRecord(file)) !== undefined;
}

export async function writeOvirt(isOn: boolean): Promise<void> {
  await (isOn ? writeRecord(file, {}) : removeRecord(file));
}
