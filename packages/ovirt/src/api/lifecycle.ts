import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, ProblemError, problem } from '@nova-platform/api';
import type { EngineClient, MachineStatus } from '@nova-platform/contracts/engine/client';
import type { Creation, Initialized, MachineRecord, Records } from './records.ts';
import type { Task, Work } from './work.ts';

/** For a restart of the engine. */
const attempts = 60;
const pause = 1000;

/** Creates machines: the record first, so that a restart of this process continues. */
export class Lifecycle {
  readonly #engine: () => EngineClient;
  readonly #records: Records;
  readonly #work: Work;

  constructor(engine: () => EngineClient, records: Records, work: Work) {
    this.#engine = engine;
    this.#records = records;
    this.#work = work;
  }

  /** Returns when the machine exists, or while it is still being created. */
  async create(id: string, record: MachineRecord, task: Omit<Task, 'busy' | 'vm'>): Promise<void> {
    await this.#records.put('machine', id, record);
    await this.#work.start({ ...task, vm: id, busy: { id, status: 'image_locked' } }, () => this.#complete(id, false));
  }

  /** Continues what an earlier process has not completed. */
  async resume(user: string): Promise<void> {
    for (const [id, { creation, engineName }] of this.#records.all('machine')) {
      if (!creation) continue;
      const task: Task = {
        description: `Creating VM ${engineName}`,
        done: `VM ${engineName} was created`,
        code: 53,
        user,
        correlationId: undefined,
        vm: id,
        busy: { id, status: 'image_locked' },
      };
      this.#work.run(task, () => this.#complete(id, true)).catch(() => undefined);
    }
  }

  /** Creates a machine that has never booted again, with another initialization. */
  async initialize(id: string, record: MachineRecord, machine: MachineStatus, initialized: Initialized): Promise<void> {
    const { name } = machine;
    const attached = (await this.#engine().disks()).filter((disk) => disk.machine === name);
    const replaces = {
      id: machine.id,
      disks: attached.map((disk) => ({ name: disk.name, ...(disk.path !== undefined && { path: disk.path }) })),
      before: creationOf(machine, record.unstarted ?? {}),
    };
    const creation = { ...creationOf(machine, initialized), replaces };
    await this.#records.put('machine', id, { ...record, creation });
    await this.#complete(id, false);
  }

  async #complete(id: string, isResumed: boolean): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const record = this.#records.all('machine').get(id);
      if (!record?.creation) return;
      const existing = await this.#machine(record.engineName).catch(() => undefined);
      try {
        await this.#bringAbout(id, record, record.creation, isResumed || attempt > 1);
        return;
      } catch (error) {
        if (isUnreachable(error) && attempt < attempts) await sleep(pause);
        else {
          const isOthers = isTaken(error) || (existing !== undefined && !isResumed && attempt === 1);
          await this.#abandon(id, record, record.creation, isOthers);
          throw error;
        }
      }
    }
  }

  async #bringAbout(id: string, record: MachineRecord, creation: Creation, isRepeated: boolean): Promise<void> {
    const { spec, replaces, template } = creation;
    const engine = this.#engine();
    let machine = await this.#machine(spec.name);
    if (machine && machine.id === replaces?.id) {
      for (const disk of await engine.disks())
        if (disk.machine === spec.name) await engine.detachDisk(spec.name, disk.name);
      await engine.deleteMachine(spec.name);
      machine = undefined;
    } else if (!isRepeated) machine = undefined;
    if (template && !(await engine.images()).some(({ name }) => name === template.name))
      await engine.createTemplate({ ...template, description: `For the clone ${spec.name}` });
    machine ??= await engine.createMachine(spec);
    for (const { name, path } of replaces?.disks ?? [])
      await engine.attachDisk(spec.name, name, path === undefined ? {} : { path });
    const { disk: diskBytes } = await engine.machineUsage(spec.name);
    const { creation: _done, ...rest } = record;
    const { cloudConfig, address } = creation;
    const unstarted = {
      diskBytes,
      ...(cloudConfig !== undefined && { cloudConfig }),
      ...(address !== undefined && { address }),
    };
    await this.#records.put('machine', id, { ...rest, engineId: machine.id, unstarted });
  }

  /** Removes what was created so far, or returns to the machine that was to be replaced. */
  async #abandon(id: string, record: MachineRecord, creation: Creation, isOthers: boolean): Promise<void> {
    const { replaces, spec, template } = creation;
    if (replaces) {
      // Whatever machine is there now has not booted either.
      const machine = await this.#machine(spec.name).catch(() => undefined);
      const { disks, before } = replaces;
      await this.#bringAbout(id, record, { ...before, replaces: { id: machine?.id ?? '', disks, before } }, false);
      return;
    }
    const engine = this.#engine();
    if (!isOthers && (await this.#machine(spec.name).catch(() => undefined)))
      await engine.deleteMachine(spec.name).catch(() => undefined);
    if (template) await engine.deleteTemplate(template.name).catch(() => undefined);
    await this.#records.remove('machine', id);
  }

  async #machine(name: string): Promise<MachineStatus | undefined> {
    return (await this.#engine().machines()).find((each) => each.name === name);
  }
}

/** A new machine like this one. */
function creationOf(machine: MachineStatus, initialized: Initialized): Creation {
  const { name, image, cpu, memoryMebibytes, diskMebibytes, network } = machine;
  const { cloudConfig, address } = initialized;
  const fixed = address ?? machine.address;
  return {
    ...(cloudConfig !== undefined && { cloudConfig }),
    ...(address !== undefined && { address }),
    spec: {
      name,
      image,
      cpu,
      memoryMebibytes,
      ...(diskMebibytes !== undefined && { diskMebibytes }),
      ...(network !== undefined && { network, ...(fixed !== undefined && { address: fixed }) }),
      ...(cloudConfig !== undefined && { cloudConfig }),
      isStarted: false,
    },
  };
}

const isUnreachable = (error: unknown): boolean => hasCode(error, 'NOVA7030');
const isTaken = (error: unknown): boolean => hasCode(error, 'NOVA7021');

function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof ProblemError && error.problems.some((each) => each.code === code);
}

export function locked(name: string, status: string): ProblemError {
  return new ProblemError(problem('NOVA7603', { name, status }));
}
