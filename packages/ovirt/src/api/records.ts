import type { EngineClient } from '@nova-platform/contracts/engine/client';
import { columnTypes, migrate } from '@nova-platform/store';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

type MachineSpec = Parameters<EngineClient['createMachine']>[0];

/** What oVirt's clients declare about a machine, and the engine does not keep. */
export interface MachineRecord {
  /** The machine of the engine, by name until its ID is known. */
  engineName: string;
  engineId?: string;
  /** Set by a change of the name: the engine cannot rename machines. */
  name?: string;
  comment?: string;
  description?: string;
  osType?: string;
  type?: string;
  topology?: { cores: number; sockets: number; threads: number };
  memoryPolicy?: { guaranteed?: number; max?: number };
  isProtected?: boolean;
  nic?: { name?: string; profile?: string };
  /** Until the engine has created the machine. */
  creation?: Creation;
  /** From the creation to the first start by this API. */
  unstarted?: Initialized & {
    /** What its disk used when it was created; more means that it has booted. */
    diskBytes: number;
  };
  /** A template that exists only for this clone. */
  ownTemplate?: string;
  preview?: Preview;
}

/** The first boot of a machine. */
export interface Initialized {
  cloudConfig?: string;
  /** A static address, for a NIC that may come later. */
  address?: string;
}

export interface Creation extends Initialized {
  spec: MachineSpec;
  /** The machine of the engine that the new one replaces: it was created before its initialization was known. */
  replaces?: { id: string; disks: readonly { name: string; path?: string }[]; before: Creation };
  /** Create this template from the machine first. */
  template?: { name: string; machine: string };
}

/** A snapshot that is shown, and the one that an undo returns to. */
export interface Preview {
  snapshot: string;
  before: string;
  /** The snapshot may not be restored yet. */
  isBegun?: true;
}

export interface DiskRecord {
  engineName: string;
  engineId?: string;
  alias?: string;
  description?: string;
  format?: string;
  interface?: string;
  /** What it used when it was created, until it is attached: while it uses no more, another format can replace it. */
  blankBytes?: number;
}

export interface JobRecord {
  description: string;
  correlationId?: string;
  status: 'started' | 'finished' | 'failed';
  startedAt: string;
  endedAt?: string;
  user: string;
}

export interface EventRecord {
  number: number;
  code: number;
  severity: 'normal' | 'warning' | 'error';
  description: string;
  at: string;
  user: string;
  correlationId?: string;
  /** The ID of the machine that it is about. */
  vm?: string;
}

export interface RecordKinds {
  machine: MachineRecord;
  disk: DiskRecord;
  network: { comment?: string; description?: string };
  vnicProfile: { name: string; network: string; description?: string };
  tag: { name: string; description?: string; vms: readonly string[] };
  affinityGroup: {
    name: string;
    description?: string;
    isPositive: boolean;
    isEnforcing: boolean;
    vms: readonly string[];
  };
  job: JobRecord;
  event: EventRecord;
}

interface Table {
  ovirt_records: { kind: string; id: string; value: string };
}

const migrations: Record<string, Migration> = {
  '0001-records': {
    async up(db: Kysely<unknown>) {
      const { text } = columnTypes(db);
      await db.schema
        .createTable('ovirt_records')
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('id', text, (column) => column.notNull())
        .addColumn('value', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('ovirt_records_key', ['kind', 'id'])
        .execute();
    },
  },
};

/** One JSON record per object. They are few and small: all are in memory, and a change is on disk before it is visible. */
export class Records {
  readonly #db: Kysely<Table>;
  readonly #kinds = new Map<string, Map<string, object>>();

  private constructor(db: Kysely<Table>) {
    this.#db = db;
  }

  // biome-ignore lint/suspicious/noExplicitAny: other parts have tables in the same store
  static async open(store: Kysely<any>): Promise<Records> {
    await migrate(store, 'ovirt', migrations);
    const records = new Records(store as Kysely<Table>);
    for (const { kind, id, value } of await records.#db.selectFrom('ovirt_records').selectAll().execute())
      records.#of(kind).set(id, JSON.parse(value) as object);
    return records;
  }

  all<Kind extends keyof RecordKinds>(kind: Kind): ReadonlyMap<string, RecordKinds[Kind]> {
    return this.#of(kind) as ReadonlyMap<string, RecordKinds[Kind]>;
  }

  async put<Kind extends keyof RecordKinds>(kind: Kind, id: string, record: RecordKinds[Kind]): Promise<void> {
    const value = JSON.stringify(record);
    await this.#db
      .insertInto('ovirt_records')
      .values({ kind, id, value })
      .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet({ value }))
      .execute();
    this.#of(kind).set(id, record);
  }

  /** Changes fields of a record, and creates it if necessary; `undefined` removes a field. */
  async change<Kind extends 'machine' | 'disk' | 'network'>(
    kind: Kind,
    id: string,
    base: RecordKinds[Kind],
    fields: { [Field in keyof RecordKinds[Kind]]?: RecordKinds[Kind][Field] | undefined },
  ): Promise<void> {
    const record = { ...(this.all(kind).get(id) ?? base), ...fields };
    await this.put(
      kind,
      id,
      Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never,
    );
  }

  async remove(kind: keyof RecordKinds, ...ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#db.deleteFrom('ovirt_records').where('kind', '=', kind).where('id', 'in', ids).execute();
    for (const id of ids) this.#of(kind).delete(id);
  }

  #of(kind: string): Map<string, object> {
    const known = this.#kinds.get(kind);
    if (known) return known;
    const empty = new Map<string, object>();
    this.#kinds.set(kind, empty);
    return empty;
  }
}
