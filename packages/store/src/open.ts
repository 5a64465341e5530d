import { Kysely } from 'kysely';
import { postgresDialect } from './postgres.ts';
import { sqliteDialect } from './sqlite.ts';

/** A file on this host, or a database on a server. */
export type StoreLocation = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };

/** Opens a store and runs a query, so that an unreachable store fails now. */
export async function openStore<Schema>(location: StoreLocation): Promise<Kysely<Schema>> {
  const isFile = location.kind === 'sqlite';
  const db = new Kysely<Schema>({ dialect: isFile ? sqliteDialect(location.file) : postgresDialect(location.url) });
  try {
    await db.connection().execute(async () => undefined);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
