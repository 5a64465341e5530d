import { isPostgres, migrate } from '@nova-platform/store';
import { type Kysely, sql } from 'kysely';
import { migrations } from './migrations.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** Migrates our tables in a store. Other parts may have their own tables in it. */
// biome-ignore lint/suspicious/noExplicitAny: the schema of the store does not matter
export async function prepareDatabase(store: Kysely<any>): Promise<Database> {
  await adoptFirstRecord(store);
  await migrate(store, 'config', migrations);
  return store;
}

/** Version 1 did not share its database and used kysely's default name for the migration table. */
async function adoptFirstRecord(store: Kysely<unknown>): Promise<void> {
  if (isPostgres(store)) return;
  const found = await sql`select 1 from sqlite_master where name = 'kysely_migration'`.execute(store);
  if (found.rows.length === 0) return;
  await store.transaction().execute(async ({ schema }) => {
    await schema.alterTable('kysely_migration').renameTo('config_migrations').execute();
    await schema.alterTable('kysely_migration_lock').renameTo('config_migrations_lock').execute();
  });
}
