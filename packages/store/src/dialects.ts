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
  /** Counts up by itself. */
  id: [ColumnType, (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder];
  /** Ordered by its bytes. */
  text: ColumnType;
  blob: ColumnType;
}

/** What the two databases call differently: `.addColumn('id', ...id).addColumn('body', blob)`. */
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

/** Nobody else writes to the table until the transaction ends; in SQLite nobody else writes at all. */
export async function lockTable<Schema>(transaction: Transaction<Schema>, table: keyof Schema & string): Promise<void> {
  if (isPostgres(transaction)) {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(transaction);
  }
}
