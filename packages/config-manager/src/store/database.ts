import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** Opens the store in a file and brings its schema up to date. What was committed is there after a loss of power. */
export async function openDatabase(file: string): Promise<Database> {
  const sqlite = new DatabaseSync(file);
  sqlite.exec(`
    pragma auto_vacuum = incremental;
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma busy_timeout = 5000;
  `);
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: asDialectDatabase(sqlite) }) });
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error) {
    await db.destroy();
    throw error instanceof Error ? error : new Error('the store cannot be brought up to date');
  }
  return db;
}

/** Node's own SQLite as the query builder's dialect expects it. */
function asDialectDatabase(sqlite: DatabaseSync) {
  return {
    close: () => sqlite.close(),
    prepare: (query: string) => {
      const statement = sqlite.prepare(query);
      const bind = (values: readonly unknown[]) => values as SQLInputValue[];
      return {
        // Those that do their work step by step must be read to the end, though they answer nothing.
        reader: statement.columns().length > 0 || query.startsWith('pragma'),
        all: (values: readonly unknown[]) => statement.all(...bind(values)),
        run: (values: readonly unknown[]) => statement.run(...bind(values)),
        iterate: (values: readonly unknown[]) => statement.iterate(...bind(values)),
      };
    },
  };
}
