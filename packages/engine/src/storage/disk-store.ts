import { randomUUID } from 'node:crypto';
import { type Problem, ProblemError, problem, quantityText, type Text } from '@nova-platform/api';
import type { Disk, MachineKind } from '@nova-platform/contracts/engine';
import { faultPoint } from '../fault.ts';
import type { Drivers } from '../machines/drivers.ts';
import { knownMachine } from '../machines/known.ts';
import { readMachine, readMachines } from '../machines/record.ts';
import type { Turns } from '../turns.ts';
import { unknownName } from '../unknown-name.ts';
import { attachmentTo, attachProblems } from './attach.ts';
import {
  type DiskRecord,
  diskFolder,
  disksFolder,
  disksOf,
  diskView,
  readDisk,
  readDisks,
  writeDisk,
} from './disks.ts';
import type { DiskDrivers } from './driver.ts';
import { canCreateFileSystems } from './filesystem.ts';
import { createFolder, deleteFolder, removeLeftovers } from './folders.ts';
import { readSnapshots } from './snapshots.ts';
import { sizeProblems } from './space.ts';

export interface DiskSpec {
  name: string;
  format: DiskRecord['format'];
  sizeMebibytes: number;
}

/** A VM finds a disk by its serial number, which is its name. */
const longestSerial = 20;
const diskWord: Text = { en: 'disk', ru: 'диск' };
/** The kind of machines that use disks of a format. */
const kinds: Record<DiskRecord['format'], MachineKind> = { filesystem: 'container', block: 'vm' };

/**
 * Additional disks. A record names the machine that a disk is attached to, so it can never be attached to two. Changes of
 * one record run one after another; what they mean for a machine is applied in the turn of that machine.
 */
export class DiskStore {
  readonly #turns: Turns;
  readonly #drivers: Drivers;
  readonly #disks: DiskDrivers;

  constructor(turns: Turns, drivers: Drivers, disks: DiskDrivers) {
    this.#turns = turns;
    this.#drivers = drivers;
    this.#disks = disks;
  }

  /** Before machines are booted. */
  async recover(): Promise<void> {
    await removeLeftovers(disksFolder);
    const machines = new Set((await readMachines()).map(({ name }) => name));
    for (const { attachment } of await readDisks())
      if (attachment && !machines.has(attachment.machine)) await this.releaseAll(attachment.machine);
  }

  async list(): Promise<Disk[]> {
    return Promise.all((await readDisks()).map(diskView));
  }

  async create({ name, format, sizeMebibytes }: DiskSpec): Promise<Disk> {
    return this.add(name, format, sizeMebibytes, (folder) => this.#disks[kinds[format]].create(folder, sizeMebibytes));
  }

  /** Adds a disk with the content that `fill` creates in its folder. */
  async add(
    name: string,
    format: DiskRecord['format'],
    sizeMebibytes: number,
    fill: (folder: string) => Promise<void>,
  ): Promise<Disk> {
    return this.#inTurn(name, async () => {
      const found = await this.#sizeProblems(sizeMebibytes);
      if (await readDisk(name)) found.push(problem('NOVA7021', { kind: diskWord, name }));
      if (format === 'filesystem' && !(await canCreateFileSystems())) found.push(problem('NOVA7125', {}));
      if (format === 'block' && name.length > longestSerial)
        found.push(problem('NOVA7139', { name, limit: String(longestSerial) }));
      if (found.length > 0) throw new ProblemError(...found);
      const record = { id: randomUUID(), name, format, sizeMebibytes, createdAt: new Date().toISOString() };
      await createFolder(diskFolder(name), async (folder) => {
        await fill(folder);
        await writeDisk(record, folder);
      });
      return diskView(record);
    });
  }

  async grow(name: string, sizeMebibytes: number): Promise<Disk> {
    const { attachment } = await this.#inTurn(name, async () => {
      const record = await this.find(name);
      const { sizeMebibytes: before } = record;
      if (sizeMebibytes < before) {
        const sizes = { before: quantityText(`${before}Mi`), after: quantityText(`${sizeMebibytes}Mi`) };
        throw new ProblemError(problem('NOVA7124', { name, ...sizes }));
      }
      const found = await this.#sizeProblems(sizeMebibytes - before);
      if (found.length > 0) throw new ProblemError(...found);
      // A disk that is not in use grows when its machine starts.
      await writeDisk({ ...record, sizeMebibytes });
      return record;
    });
    faultPoint('disk.grown');
    if (attachment) await this.apply(attachment.machine);
    return diskView(await this.find(name));
  }

  async delete(name: string): Promise<void> {
    await this.#inTurn(name, async () => {
      const { id } = await this.detached(name);
      const found: Problem[] = [];
      for (const machine of await readMachines()) {
        const snapshots = (await readSnapshots(machine.name)).filter(({ disks }) =>
          disks.some((disk) => disk.id === id),
        );
        if (snapshots.length === 0) continue;
        const names = snapshots.map((snapshot) => snapshot.name).join(', ');
        found.push(problem('NOVA7133', { name, machine: machine.name, snapshots: names }));
      }
      if (found.length > 0) throw new ProblemError(...found);
      await deleteFolder(diskFolder(name));
    });
  }

  async attach(machineName: string, name: string, path: string | undefined): Promise<Disk> {
    // Two disks of a machine must not get the same slot.
    await this.#turns.take(`slots ${machineName}`, () =>
      this.#inTurn(name, async () => {
        const [disk, machine] = [await this.find(name), await knownMachine(machineName)];
        const attached = await disksOf(machineName);
        const found = await attachProblems(disk, machine, path, attached);
        if (found.length > 0) throw new ProblemError(...found);
        await writeDisk({ ...disk, attachment: attachmentTo(machine, path, attached) });
      }),
    );
    faultPoint('disk.attached');
    await this.apply(machineName).catch(async (error: unknown) => {
      if (!(await readMachine(machineName))) await this.#free(name);
      // A disk that the machine uses in spite of the failure stays attached.
      else await this.detach(machineName, name).catch(() => undefined);
      throw error;
    });
    return diskView(await this.find(name));
  }

  /** Frees the disk before its record says so: another machine can have it only then. */
  async detach(machineName: string, name: string): Promise<Disk> {
    await this.#turns.take(`machine ${machineName}`, async () => {
      const machine = await knownMachine(machineName);
      const attached = await disksOf(machineName);
      const disk = attached.find((each) => each.name === name);
      if (!disk)
        throw unknownName(
          diskWord,
          name,
          attached.map((each) => each.name),
        );
      await this.#disks[machine.kind].take(machine, disk, await this.#drivers[machine.kind].isRunning(machineName));
      faultPoint('disk.taken');
      await this.#free(name);
    });
    return diskView(await this.find(name));
  }

  /** Gives a running machine its recorded disks. */
  async apply(machineName: string): Promise<void> {
    await this.#turns.take(`machine ${machineName}`, async () => {
      const machine = await knownMachine(machineName);
      if (await this.#drivers[machine.kind].isRunning(machineName)) await this.#disks[machine.kind].apply(machine);
    });
  }

  /** The machine is being deleted and no longer runs. */
  async releaseAll(machineName: string): Promise<void> {
    for (const disk of await disksOf(machineName)) {
      await this.#disks[kinds[disk.format]].release(disk);
      faultPoint('disk.released');
      await this.#free(disk.name);
    }
  }

  async find(name: string): Promise<DiskRecord> {
    const disk = await readDisk(name);
    if (disk) return disk;
    throw unknownName(
      diskWord,
      name,
      (await readDisks()).map((each) => each.name),
    );
  }

  /** Works with a disk that no machine gets meanwhile. */
  async whileDetached<T>(name: string, work: (disk: DiskRecord) => Promise<T>): Promise<T> {
    return this.#inTurn(name, async () => work(await this.detached(name)));
  }

  async detached(name: string): Promise<DiskRecord> {
    const disk = await this.find(name);
    if (!disk.attachment) return disk;
    throw new ProblemError(problem('NOVA7120', { name, machine: disk.attachment.machine }));
  }

  async #free(name: string): Promise<void> {
    await this.#inTurn(name, async () => {
      const { attachment: _attachment, ...disk } = await this.find(name);
      await writeDisk(disk);
    });
  }

  #inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(`disk ${name}`, work);
  }

  async #sizeProblems(addedMebibytes: number): Promise<Problem[]> {
    return sizeProblems(addedMebibytes, await readDisks(), await readMachines());
  }
}
