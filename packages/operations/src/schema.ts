import { columnTypes } from '@nova-platform/store';
import type { Generated, Kysely } from 'kysely';

export type OperationState = 'running' | 'done' | 'failed' | 'cancelled';
export type StepState = 'waiting' | 'running' | 'done' | 'failed' | 'undone';

/** The tables of operations and events. Times are milliseconds since 1970; values without a column of their own are JSON. */
export interface OperationsSchema {
  operations: {
    id: Generated<number>;
    kind: string;
    /** Null in operations of older releases: they have only the title of their kind. */
    title: string | null;
    /** The name of the lock that the operation holds while it runs. */
    lock: string | null;
    input: string;
    state: OperationState;
    is_cancelling: number;
    /** Set only while the operation is failed. */
    failure: string | null;
    requested_by: string;
    created_at: number;
    ended_at: number | null;
  };
  steps: {
    operation: number;
    name: string;
    position: number;
    /** The item of this step, for a step that runs once per item. */
    item: string | null;
    /** Names of the steps that must be done first. */
    after: string;
    state: StepState;
    attempts: number;
    result: string | null;
    failure: string | null;
    started_at: number | null;
    ended_at: number | null;
  };
  locks: { name: string; operation: number };
  /** All events in order; the logs of operations are events too. */
  events: {
    id: Generated<number>;
    at: number;
    kind: string;
    cluster: string | null;
    operation: number | null;
    step: string | null;
    data: string;
  };
}

/** Operations get titles of their own. */
export async function addOperationTitles(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('operations').addColumn('title', columnTypes(db).text).execute();
}

/** The first version of the tables. The owner of the store runs it as one of its migrations. */
export async function createOperationTables(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  const { id, text } = columnTypes(db);
  await schema
    .createTable('operations')
    .addColumn('id', ...id)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('lock', text)
    .addColumn('input', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('is_cancelling', 'integer', (column) => column.notNull())
    .addColumn('failure', text)
    .addColumn('requested_by', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .execute();
  await schema.createIndex('operations_lock').on('operations').columns(['lock', 'id']).execute();
  await schema.createIndex('operations_state').on('operations').columns(['state', 'id']).execute();
  await schema
    .createTable('steps')
    .addColumn('operation', 'bigint', (column) => column.notNull().references('operations.id'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('item', text)
    .addColumn('after', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('result', text)
    .addColumn('failure', text)
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('steps_key', ['operation', 'name'])
    .execute();
  await schema
    .createTable('locks')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('operation', 'bigint', (column) => column.notNull().references('operations.id'))
    .execute();
  await schema
    .createTable('events')
    .addColumn('id', ...id)
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('cluster', text)
    .addColumn('operation', 'bigint')
    .addColumn('step', text)
    .addColumn('data', text, (column) => column.notNull())
    .execute();
  await schema.createIndex('events_operation').on('events').columns(['operation', 'id']).execute();
  await schema.createIndex('events_cluster').on('events').columns(['cluster', 'id']).execute();
  await schema.createIndex('events_age').on('events').column('at').execute();
}
