import {
  type ColumnDataType,
  type ColumnDefinitionBuilder,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely';

type ColumnType = ColumnDataType | RawBuilder<unknown>;

interface ColumnTypes {
  /** Auto-increment. */
  id: [ColumnType, (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder];
  /** Sorted by bytes. */
  text: ColumnType;
  blob: ColumnType;
}

/** Column types that differ between the two databases: `.addColumn('id', ...id).addColumn('body', blob)`. */
// biome-ignore lint/suspicious/noExplicitAny: any schema will do
export function columnTypes(db: Kysely<any>): ColumnTypes {
  return isPostgres(db)
    ? {
        id: ['bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey()],
        text: sql`text collate "C"`,
        blob: 'bytea',
      }
    : { id: ['integer', (column) => column.primaryKey().autoIncrement()], text: 'text', blob: 'blob' };
}

// biome-ignore lint/suspicious/noExplicitAny: any schema will do
export function isPostgres(db: Kysely<any>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Blocks other writers of the table until the transaction ends. SQLite allows only one writer anyway. */
export async function lockTable<Schema>(transaction: Transaction<Schema>, table: keyof Schema & string): Promise<void> {
  if (isPostgres(transaction)) {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(transaction);
  }
}
