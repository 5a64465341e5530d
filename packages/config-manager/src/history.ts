import { isPostgres } from '@nova-platform/store';
import { sql } from 'kysely';
import type { Database } from './store/database.ts';

/** Retention limits. The latest report of a node is always kept, and so are its current and its applied catalog. */
const kept = { days: 30, reportsPerNode: 500, bytes: 512 * 1024 * 1024, catalogsPerNode: 20 };

/** Deletes reports and catalogs that exceed the retention limits. */
export async function pruneHistory(db: Database, now: number = Date.now()): Promise<void> {
  await pruneOld(db, now - kept.days * 24 * 3600_000);
  await pruneCrowded(db);
  await pruneBytes(db);
  await pruneCatalogs(db);
  // PostgreSQL vacuums by itself.
  if (!isPostgres(db)) await sql`pragma incremental_vacuum`.execute(db);
}

function latestReports(db: Database) {
  return db
    .selectFrom('reports')
    .select((eb) => eb.fn.max('id').as('id'))
    .groupBy('node');
}

async function pruneOld(db: Database, before: number): Promise<void> {
  await db.deleteFrom('reports').where('received_at', '<', before).where('id', 'not in', latestReports(db)).execute();
}

async function pruneCrowded(db: Database): Promise<void> {
  const crowded = await db
    .selectFrom('reports')
    .select('node')
    .groupBy('node')
    .having((eb) => eb.fn.countAll(), '>', kept.reportsPerNode)
    .execute();
  for (const { node } of crowded) {
    const first = db
      .selectFrom('reports')
      .select('id')
      .where('node', '=', node)
      .orderBy('id', 'desc')
      .offset(kept.reportsPerNode)
      .limit(1);
    await db.deleteFrom('reports').where('node', '=', node).where('id', '<=', first).execute();
  }
}

async function pruneBytes(db: Database): Promise<void> {
  for (;;) {
    const { bytes } = await db
      .selectFrom('reports')
      .select((eb) => eb.fn.sum<number | null>('size').as('bytes'))
      .executeTakeFirstOrThrow();
    if (Number(bytes ?? 0) <= kept.bytes) return;
    const oldest = db.selectFrom('reports').select('id').orderBy('id').limit(1000);
    const { numDeletedRows } = await db
      .deleteFrom('reports')
      .where('id', 'in', oldest)
      .where('id', 'not in', latestReports(db))
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
  }
}

async function pruneCatalogs(db: Database): Promise<void> {
  const crowded = await db
    .selectFrom('catalogs')
    .select('node')
    .groupBy('node')
    .having((eb) => eb.fn.countAll(), '>', kept.catalogsPerNode)
    .execute();
  for (const { node } of crowded) {
    const first = db
      .selectFrom('catalogs')
      .select('id')
      .where('node', '=', node)
      .orderBy('id', 'desc')
      .offset(kept.catalogsPerNode)
      .limit(1);
    const used = await db
      .selectFrom('nodes')
      .select(['catalog_id', 'applied_catalog_id'])
      .where('name', '=', node)
      .executeTakeFirst();
    const ids = [used?.catalog_id, used?.applied_catalog_id].filter((id) => typeof id === 'number');
    await db
      .deleteFrom('catalogs')
      .where('node', '=', node)
      .where('id', '<=', first)
      .where('id', 'not in', [0, ...ids])
      .execute();
  }
}
