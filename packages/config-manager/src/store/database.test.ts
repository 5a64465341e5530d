import { plan } from '@nova-platform/plan/testing';
import { openStore } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, onTestFinished, test } from 'vitest';
import { compress } from '../compressed.ts';
import { summaryOf } from '../plan-summary.ts';
import { prepareDatabase } from './database.ts';
import { migrations } from './migrations.ts';
import type { Schema } from './schema.ts';

async function recordOf(db: Kysely<Schema>): Promise<unknown[]> {
  const { rows } = await sql<{ name: string }>`select name from config_migrations order by name`.execute(db);
  return rows.map(({ name }) => name);
}

eachStore('the tables', (locate) => {
  test('are migrated once and keep their data', async () => {
    const db = await openStore<Schema>(await locate());
    onTestFinished(() => db.destroy());
    await prepareDatabase(db);
    await db.insertInto('tokens').values({ hash: 'h', node: 'n', expires_at: 1, used_at: null }).execute();
    await prepareDatabase(db);
    expect(await recordOf(db)).toEqual(Object.keys(migrations));
    expect(await db.selectFrom('tokens').select('node').execute()).toEqual([{ node: 'n' }]);
  });

  test('of version 1 are migrated with the known data of their nodes', async () => {
    const location = await locate();
    // Version 1 did not support PostgreSQL.
    if (location.kind === 'postgres') return;
    const db = await openStore<Schema>(location);
    onTestFinished(() => db.destroy());
    const first = { '0001-nodes': migrations['0001-nodes'] as (typeof migrations)[string] };
    await new Migrator({ db, provider: { getMigrations: async () => first } }).migrateToLatest();
    const demo = plan();
    const [node] = demo.nodes;
    const stored = compress(JSON.stringify(demo));
    await sql`insert into plans (cluster, plan, sealed_secrets, approved_at)
      values ('demo', ${stored}, '', 1)`.execute(db);
    await db
      .insertInto('nodes')
      .values([{ name: node?.name ?? '', cluster: 'demo' }, { name: 'stray' }])
      .execute();
    const report = { node: node?.name ?? '', received_at: 1, is_noop: 0, changed: 0, corrective: 0, failed: 0 };
    const rest = { seconds: 1, agent_version: '8', body: Buffer.from(''), size: 0 };
    for (const status of ['changed', 'failed'] as const) {
      await db
        .insertInto('reports')
        .values({ ...report, ...rest, status })
        .execute();
    }

    const columns = sql`certificates (serial, purpose, node, name, certificate, not_after)`;
    const day = 24 * 3600_000;
    await sql`insert into ${columns} values ('1', 'service', 'n', 'kubelet-client', '', ${30 * day})`.execute(db);
    await sql`insert into ${columns} values ('2', 'identity', 'n', 'identity', '', ${3650 * day})`.execute(db);

    await prepareDatabase(db);
    expect(await recordOf(db)).toEqual(Object.keys(migrations));
    expect(await db.selectFrom('certificates').select('overdue_at').orderBy('serial').execute()).toEqual([
      { overdue_at: 22.5 * day },
      { overdue_at: 2737.5 * day },
    ]);
    const [planned] = await db.selectFrom('plans').select('summary').execute();
    expect(JSON.parse(planned?.summary ?? '')).toEqual(summaryOf(demo));
    const known = ['name', 'roles', 'address', 'last_report_id', 'last_status'] as const;
    expect(await db.selectFrom('nodes').select(known).orderBy('name').execute()).toEqual([
      {
        name: node?.name,
        roles: node?.roles.join(),
        address: node?.address,
        last_report_id: 2,
        last_status: 'failed',
      },
      { name: 'stray', roles: null, address: null, last_report_id: null, last_status: null },
    ]);
  });
});
