import { EventEmitter } from 'node:events';
import { GroupCommit } from '@nova-platform/store';
import type { Kysely, Transaction } from 'kysely';
import type { OperationsSchema } from './schema.ts';

/** An event as listeners and the API get it. */
export interface Event {
  id: number;
  at: string;
  kind: 'operation' | 'step' | 'log' | 'cluster';
  cluster?: string;
  operation?: number;
  step?: string;
  data: Record<string, unknown>;
}

export type NewEvent = Omit<Event, 'id' | 'at'>;

export type Emit = (event: NewEvent) => Promise<void>;

/** One write: its rows and its events are committed together, or not at all. */
export interface Writing<Schema extends OperationsSchema> {
  transaction: Transaction<Schema>;
  emit: Emit;
}

export interface EventFilter {
  cluster?: string | undefined;
  operation?: number | undefined;
}

type Listener = (event: Event) => void;

const keptDays = 90;
const keptEvents = 500_000;

/** All writes to the store, with the events that report them. Listeners get an event once it is on disk. */
export class Journal<Schema extends OperationsSchema = OperationsSchema> {
  readonly db: Kysely<Schema>;
  readonly #commit: GroupCommit<Schema>;
  readonly #listeners = new EventEmitter<{ event: [Event] }>().setMaxListeners(0);
  #lastDelivered = 0;
  /** Events from this id on may be committed but not yet delivered: the store was lost during a commit. */
  #unsureFrom = Number.POSITIVE_INFINITY;

  constructor(db: Kysely<Schema>) {
    this.db = db;
    this.#commit = new GroupCommit(db);
  }

  /** Resolves when the write is on disk. The work may run twice: all its effects must be in its transaction. */
  async write<T>(work: (transaction: Transaction<Schema>, emit: Emit) => Promise<T>): Promise<T> {
    let delivered: Event[] = [];
    let result: T | undefined;
    try {
      await this.#commit.write(async (transaction) => {
        delivered = Number.isFinite(this.#unsureFrom)
          ? await eventsAfter(eventsOf(transaction), this.#unsureFrom - 1)
          : [];
        result = await work(transaction, async (event) => {
          delivered.push(await append(eventsOf(transaction), event));
        });
      });
    } catch (error) {
      this.#unsureFrom = Math.min(this.#unsureFrom, ...delivered.map(({ id }) => id));
      throw error;
    }
    this.#unsureFrom = Number.POSITIVE_INFINITY;
    // Writes are serial, so listeners get events in the order of their ids.
    for (const event of delivered) {
      if (event.id <= this.#lastDelivered) continue;
      this.#lastDelivered = event.id;
      this.#listeners.emit('event', event);
    }
    return result as T;
  }

  /** Delivers events that were committed while the store was lost. */
  async catchUp(): Promise<void> {
    await this.write(async () => undefined);
  }

  /** Events after the given id, oldest first. */
  async after(id: number, filter: EventFilter, limit: number): Promise<Event[]> {
    return eventsAfter(eventsOf(this.db), id, filter, limit);
  }

  async last(): Promise<number> {
    const row = await eventsOf(this.db)
      .selectFrom('events')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst();
    return Number(row?.id ?? 0);
  }

  listen(listener: Listener): () => void {
    this.#listeners.on('event', listener);
    return () => this.#listeners.off('event', listener);
  }

  async prune(): Promise<void> {
    const oldest = Date.now() - keptDays * 24 * 3600_000;
    const first = (await this.last()) - keptEvents;
    await this.write((transaction) =>
      eventsOf(transaction)
        .deleteFrom('events')
        .where((each) => each.or([each('at', '<', oldest), each('id', '<=', first)]))
        .execute(),
    );
  }
}

/** Kysely cannot type queries on a generic schema. */
function eventsOf<Schema extends OperationsSchema>(db: Kysely<Schema>): Kysely<OperationsSchema> {
  return db as unknown as Kysely<OperationsSchema>;
}

async function eventsAfter(
  db: Kysely<OperationsSchema>,
  id: number,
  { cluster, operation }: EventFilter = {},
  limit?: number,
): Promise<Event[]> {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('id', '>', id)
    .$if(cluster !== undefined, (query) => query.where('cluster', '=', cluster ?? ''))
    .$if(operation !== undefined, (query) => query.where('operation', '=', operation ?? 0))
    .orderBy('id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.map(({ id: number, at, kind, data, ...about }) => ({
    id: number,
    at: new Date(at).toISOString(),
    kind: kind as Event['kind'],
    ...(about.cluster !== null && { cluster: about.cluster }),
    ...(about.operation !== null && { operation: about.operation }),
    ...(about.step !== null && { step: about.step }),
    data: JSON.parse(data) as Record<string, unknown>,
  }));
}

async function append(transaction: Kysely<OperationsSchema>, { data, ...about }: NewEvent): Promise<Event> {
  const at = Date.now();
  const { id } = await transaction
    .insertInto('events')
    .values({
      at,
      kind: about.kind,
      cluster: about.cluster ?? null,
      operation: about.operation ?? null,
      step: about.step ?? null,
      data: JSON.stringify(data),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, at: new Date(at).toISOString(), ...about, data };
}
