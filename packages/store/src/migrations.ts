import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

/**
 * Migrates the tables of one part. Parts share a store independently: each has its own migration table. Forward only: a
 * change is a new migration whose name sorts last.
 */
export async function migrate(
  // biome-ignore lint/suspicious/noExplicitAny: a part's schema is what its migrations make it
  db: Kysely<any>,
  part: string,
  migrations: Record<string, Migration>,
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: `${part}_migrations`,
    migrationLockTableName: `${part}_migrations_lock`,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('the migration of the store failed');
}
