import { randomUUID } from 'node:crypto';
import { type Problem, ProblemError, problem, type Text } from '@nova-platform/api';
import type { Snapshot } from '@nova-platform/contracts/engine';
import { faultPoint } from '../fault.ts';
import type { Drivers } from '../machines/drivers.ts';
import { assertStopped, knownMachine } from '../machines/known.ts';
import type { MachineRecord } from '../machines/record.ts';
import type { Turns } from '../turns.ts';
import { unknownName } from '../unknown-name.ts';
import { disksOf } from './disks.ts';
import type { DiskDriver, DiskDrivers } from './driver.ts';
import { createFolder, deleteFolder, removeLeftovers } from './folders.ts';
import {
  maxSnapshots,
  readSnapshot,
  readSnapshots,
  type SnapshotRecord,
  snapshotFolder,
  snapshotsFolder,
  snapshotView,
  writeSnapshot,
} from './snapshots.ts';

const snapshotWord: Text = { en: 'snapshot', ru: 'снимок' };

/** Snapshots of machines. They belong to their machine, and are deleted with it. */
export class SnapshotStore {
  readonly #turns: Turns;
  readonly #drivers: Drivers;
  readonly #disks: DiskDrivers;

  constructor(turns: Turns, drivers: Drivers, disks: DiskDrivers) {
    this.#turns = turns;
    this.#drivers = drivers;
    this.#disks = disks;
  }

  /** Call it in the machine's turn. */
  async recover(machine: MachineRecord): Promise<void> {
    await removeLeftovers(snapshotsFolder(machine.name));
    await this.#disks[machine.kind].recover(machine);
  }

  async list(machineName: string): Promise<Snapshot[]> {
    const machine = await knownMachine(machineName);
    const snapshots = await readSnapshots(machineName);
    return Promise.all(snapshots.map((snapshot) => this.#view(machine, snapshot)));
  }

  async create(machineName: string, { name, description }: { name: string; description: string }): Promise<Snapshot> {
    return this.#inTurn(machineName, async (machine, driver) => {
      const found: Problem[] = [];
      const reason = driver.snapshotRefusal(machine);
      if (reason) found.push(problem('NOVA7132', { name: machineName, reason }));
      const before = await readSnapshots(machineName);
      if (before.some((each) => each.name === name)) found.push(problem('NOVA7021', { kind: snapshotWord, name }));
      if (before.length >= maxSnapshots)
        found.push(problem('NOVA7134', { machine: machineName, limit: String(maxSnapshots) }));
      if (found.length > 0) throw new ProblemError(...found);
      const disks = await disksOf(machineName);
      const isRunning = await this.#drivers[machine.kind].isRunning(machineName);
      const id = randomUUID();
      await driver.beginChange(machine);
      faultPoint('snapshot.marked');
      try {
        await createFolder(snapshotFolder(machineName, name), async (folder) => {
          const createdAt = new Date().toISOString();
          const isFrozen = await driver.snapshot(machine, disks, { id, folder, isRunning });
          const copied = disks.map((disk) => ({ id: disk.id, name: disk.name }));
          await writeSnapshot({ id, name, description, createdAt, disks: copied, isFrozen }, folder);
        });
      } finally {
        await driver.recover(machine);
      }
      return this.#view(machine, await this.#find(machineName, name));
    });
  }

  async restore(machineName: string, name: string): Promise<void> {
    await this.#inTurn(machineName, async (machine, driver) => {
      const snapshot = await this.#find(machineName, name);
      await assertStopped(machine, this.#drivers[machine.kind]);
      const attached = new Set((await disksOf(machineName)).map(({ id }) => id));
      const missing = snapshot.disks.filter(({ id }) => !attached.has(id));
      if (missing.length > 0)
        throw new ProblemError(
          ...missing.map((disk) => problem('NOVA7137', { name, disk: disk.name, machine: machineName })),
        );
      await driver.restore(machine, snapshot);
    });
  }

  async delete(machineName: string, name: string): Promise<void> {
    await this.#inTurn(machineName, async (machine, driver) => {
      await this.#find(machineName, name);
      await driver.beginChange(machine);
      await deleteFolder(snapshotFolder(machineName, name));
      await driver.recover(machine);
    });
  }

  async #find(machine: string, name: string): Promise<SnapshotRecord> {
    const snapshot = await readSnapshot(machine, name);
    if (snapshot) return snapshot;
    throw unknownName(
      snapshotWord,
      name,
      (await readSnapshots(machine)).map((each) => each.name),
    );
  }

  async #view(machine: MachineRecord, snapshot: SnapshotRecord): Promise<Snapshot> {
    return snapshotView(snapshot, await this.#disks[machine.kind].snapshotBytes(machine, snapshot));
  }

  #inTurn<T>(name: string, work: (machine: MachineRecord, driver: DiskDriver) => Promise<T>): Promise<T> {
    return this.#turns.take(`machine ${name}`, async () => {
      const machine = await knownMachine(name);
      return work(machine, this.#disks[machine.kind]);
    });
  }
}
