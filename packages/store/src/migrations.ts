import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

/**
 * Brings a part's tables up to date. Parts share a store and know nothing of each other: each has a record of its own.
 * Forward only: a change is a new migration, after all others by its name.
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
  if (error) throw error instanceof Error ? error : new Error('the store cannot be brought up to date');
}
