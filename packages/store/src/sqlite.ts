import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect } from 'kysely';

/** Node's built-in SQLite. Committed data survives a power loss. */
export function sqliteDialect(file: string): SqliteDialect {
  return new TransactionalSqliteDialect({
    database: async () => {
      const sqlite = new DatabaseSync(file);
      sqlite.exec(`
        pragma auto_vacuum = incremental;
        pragma journal_mode = wal;
        pragma synchronous = full;
        pragma busy_timeout = 5000;
      `);
      return asDialectDatabase(sqlite);
    },
  });
}

/** SQLite supports DDL in transactions, although kysely does not use it: migrations are all-or-nothing. */
class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl(): boolean {
        return true;
      }
    })();
  }
}

/** Adapts Node's built-in SQLite to kysely's dialect. */
function asDialectDatabase(sqlite: DatabaseSync) {
  return {
    close: () => sqlite.close(),
    prepare: (query: string) => {
      const statement = sqlite.prepare(query);
      const bind = (values: readonly unknown[]) => values as SQLInputValue[];
      return {
        // Pragmas that run step by step must be read to the end, even if they return no rows.
        reader: statement.columns().length > 0 || query.startsWith('pragma'),
        all: (values: readonly unknown[]) => statement.all(...bind(values)),
        run: (values: readonly unknown[]) => statement.run(...bind(values)),
        iterate: (values: readonly unknown[]) => statement.iterate(...bind(values)),
      };
    },
  };
}
