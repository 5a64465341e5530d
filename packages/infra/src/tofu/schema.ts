import type { OperationsSchema } from '@nova-platform/operations';
import { columnTypes } from '@nova-platform/store';
import type { Generated, Kysely } from 'kysely';

/** The tables of OpenTofu. Times are milliseconds since 1970. */
export interface TofuSchema extends OperationsSchema {
  /** The newest row of a cluster is its state; the others are its history. */
  tofu_states: {
    id: Generated<number>;
    cluster: string;
    /** States hold secrets. */
    sealed: string;
    created_at: number;
  };
  /** Who works on the state of a cluster, as OpenTofu describes it (JSON). */
  tofu_locks: { cluster: string; holder: string };
}

export async function createTofuTables(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  const { id, text } = columnTypes(db);
  await schema
    .createTable('tofu_states')
    .addColumn('id', ...id)
    .addColumn('cluster', text, (column) => column.notNull())
    .addColumn('sealed', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('tofu_states_cluster').on('tofu_states').columns(['cluster', 'id']).execute();
  await schema
    .createTable('tofu_locks')
    .addColumn('cluster', text, (column) => column.primaryKey())
    .addColumn('holder', text, (column) => column.notNull())
    .execute();
}
