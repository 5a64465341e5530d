import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect } from 'kysely';

/** Node's own SQLite. What was committed is there after a loss of power. */
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

/** SQLite changes schemas in transactions, though kysely does not count on it: migrations happen whole or not at all. */
class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl(): boolean {
        return true;
      }
    })();
  }
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
