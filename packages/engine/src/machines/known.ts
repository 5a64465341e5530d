import { ProblemError, problem, type Text } from '@nova-platform/api';
import { unknownName } from '../unknown-name.ts';
import type { MachineDriver } from './driver.ts';
import { type MachineRecord, readMachine, readMachines } from './record.ts';

export const machineWord: Text = { en: 'machine', ru: 'машина' };

export async function knownMachine(name: string): Promise<MachineRecord> {
  const record = await readMachine(name);
  if (record) return record;
  throw unknownName(
    machineWord,
    name,
    (await readMachines()).map((each) => each.name),
  );
}

/** Refuses a machine that runs, or will in a moment. */
export async function assertStopped({ name, wanted }: MachineRecord, driver: MachineDriver): Promise<void> {
  if (wanted !== 'stopped' || (await driver.isRunning(name))) throw new ProblemError(problem('NOVA7100', { name }));
}
