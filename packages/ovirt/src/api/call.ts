import { ProblemError, problem } from '@nova-platform/api';
import type { Disk, HostFeatures, Image } from '@nova-platform/contracts/engine';
import type { EngineClient, MachineStatus } from '@nova-platform/contracts/engine/client';
import type { Received } from '../xml.ts';
import type { Identity } from './identity.ts';
import { idOf } from './ids.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { DiskRecord, MachineRecord, Records } from './records.ts';
import type { Work } from './work.ts';

/** A machine as a VM of oVirt. */
export interface Vm {
  id: string;
  name: string;
  record: MachineRecord;
  /** Absent until the engine has created it. */
  machine: MachineStatus | undefined;
}

export interface FloatingDisk {
  id: string;
  record: DiskRecord;
  disk: Disk;
}

export type EngineNetwork = Awaited<ReturnType<EngineClient['networks']>>[number];

const mostFollowed = 50_000;
/** The platform's own: not shown here, and never changed. */
const platformMachine = 'universe';
const platformNetwork = 'integration';
const platformImages: ReadonlySet<string> = new Set(['network', 'universe-base', 'universe', 'hypervisor']);

/** The parts of the API that live as long as the process. */
export interface Parts {
  engine: () => EngineClient;
  records: Records;
  work: Work;
  lifecycle: Lifecycle;
  users: () => Promise<readonly Identity[]>;
  /** Snapshots that are being created, by their IDs; the engine does not list them yet. */
  pendingSnapshots: Map<string, { vm: string; description: string; date: string }>;
  /** The same for templates, by name. */
  pendingTemplates: Set<string>;
}

export interface Request {
  identity: Identity;
  method: string;
  query: Readonly<Record<string, string | undefined>>;
  body: Received;
}

/** One request: each list of the engine is requested at most once. */
export class Call {
  readonly parts: Parts;
  readonly request: Request;
  readonly engine: EngineClient;
  /** Items of collections by path, for `follow`. */
  readonly lists = new Map<string, Promise<readonly unknown[]>>();
  readonly #cache = new Map<string, Promise<unknown>>();
  #followed = 0;

  constructor(parts: Parts, request: Request) {
    this.parts = parts;
    this.request = request;
    this.engine = parts.engine();
  }

  get records(): Records {
    return this.parts.records;
  }

  /** Counts objects that `follow` adds to the response: lists of lists can be larger than the memory of this process. */
  addFollowed(count: number): void {
    this.#followed += count;
    if (this.#followed <= mostFollowed) return;
    const expected = { en: `at most ${mostFollowed} objects`, ru: `не больше ${mostFollowed} объектов` };
    throw new ProblemError(problem('NOVA7026', { field: 'follow', expected }));
  }

  /** Forgets what was read before a change. */
  refresh(): void {
    this.lists.clear();
    this.#cache.clear();
  }

  /** The common fields of a task of this request. */
  get by(): { user: string; correlationId: string | undefined } {
    return { user: this.request.identity.name, correlationId: this.request.query.correlation_id };
  }

  vms(): Promise<readonly Vm[]> {
    return this.#once('vms', async () => vmsOf(this.records, await this.engine.machines()));
  }

  /** The images that machines can be created from. */
  images(): Promise<readonly Image[]> {
    return this.#once('images', async () =>
      (await this.engine.images()).filter(({ name, isBuilt }) => isBuilt && !platformImages.has(name)),
    );
  }

  networks(): Promise<readonly EngineNetwork[]> {
    return this.#once('networks', async () =>
      (await this.engine.networks()).filter(({ name, wanted }) => name !== platformNetwork && wanted === 'present'),
    );
  }

  disks(): Promise<readonly FloatingDisk[]> {
    return this.#once('disks', async () => disksOf(this.records, await this.engine.disks()));
  }

  host(): Promise<HostFeatures> {
    return this.#once('host', () => this.engine.host());
  }

  #once<T>(name: string, read: () => Promise<T>): Promise<T> {
    const known = this.#cache.get(name) as Promise<T> | undefined;
    if (known) return known;
    const reading = read();
    this.#cache.set(name, reading);
    return reading;
  }
}

/** Machines with the records of this API, and those that it is about to create. */
function vmsOf(records: Records, machines: readonly MachineStatus[]): Vm[] {
  const own = machines.filter(({ name, network }) => name !== platformMachine && network !== platformNetwork);
  const byName = new Map(own.map((machine) => [machine.name, machine]));
  const known = new Set<MachineStatus>();
  const recorded = [...records.all('machine')].flatMap(([id, record]): Vm[] => {
    const { engineName, engineId, creation } = record;
    const candidate = byName.get(engineName);
    // Another machine of the same name is another VM.
    const machine = candidate && (creation || candidate.id === engineId) ? candidate : undefined;
    if (machine) known.add(machine);
    else if (!creation) return [];
    return [{ id, name: record.name ?? engineName, record, machine: creation ? undefined : machine }];
  });
  const others = own
    .filter((machine) => !known.has(machine))
    .map((machine): Vm => {
      const { id, name } = machine;
      return { id: idOf('vm', id), name, record: { engineName: name, engineId: id }, machine };
    });
  return [...recorded, ...others];
}

function disksOf(records: Records, disks: readonly Disk[]): FloatingDisk[] {
  const recorded = new Map([...records.all('disk')].map(([id, record]) => [record.engineId ?? '', { id, record }]));
  return disks.map((disk) => {
    const found = recorded.get(disk.id);
    return {
      id: found?.id ?? idOf('disk', disk.id),
      record: found?.record ?? { engineName: disk.name, engineId: disk.id },
      disk,
    };
  });
}
