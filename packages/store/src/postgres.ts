import { PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';

/** int8 and numeric hold counts, sums and times, all well below 2^53. As with SQLite, they are returned as numbers. */
const numbers: number[] = [types.builtins.INT8, types.builtins.NUMERIC];

export function postgresDialect(url: string): PostgresDialect {
  const pool = new Pool({
    connectionString: url,
    max: 8,
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    types: {
      getTypeParser: ((id: number, format) =>
        numbers.includes(id) ? Number : types.getTypeParser(id, format)) as typeof types.getTypeParser,
    },
  });
  // A query on a broken connection fails with its own error, and the next query gets a new connection.
  const ignore = () => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return new PostgresDialect({ pool });
}
