import type { ClusterPlan } from '@nova-platform/plan';
import { columnTypes } from '@nova-platform/store';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { expand } from '../compressed.ts';
import { summaryOf } from '../plan-summary.ts';
import type { Schema } from './schema.ts';

/** Forward only: a schema change is a new entry at the end. */
export const migrations: Record<string, Migration> = {
  '0001-nodes': {
    async up(db: Kysely<unknown>) {
      const { schema } = db;
      const { id, text, blob } = columnTypes(db);
      await schema
        .createTable('authorities')
        .addColumn('name', text, (column) => column.primaryKey())
        .addColumn('certificate', text, (column) => column.notNull())
        .addColumn('sealed_key', text, (column) => column.notNull())
        .execute();
      await schema
        .createTable('shared_keys')
        .addColumn('cluster', text, (column) => column.notNull())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('sealed', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('shared_keys_key', ['cluster', 'name'])
        .execute();
      await schema
        .createTable('tokens')
        .addColumn('hash', text, (column) => column.primaryKey())
        .addColumn('node', text, (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('used_at', 'bigint')
        .execute();
      await schema
        .createTable('certificates')
        .addColumn('serial', text, (column) => column.primaryKey())
        .addColumn('purpose', text, (column) => column.notNull())
        .addColumn('node', text, (column) => column.notNull())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('certificate', text, (column) => column.notNull())
        .addColumn('not_after', 'bigint', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .execute();
      await schema.createIndex('certificates_node').on('certificates').columns(['node', 'purpose']).execute();
      await schema
        .createTable('plans')
        .addColumn('cluster', text, (column) => column.primaryKey())
        .addColumn('plan', blob, (column) => column.notNull())
        .addColumn('sealed_secrets', text, (column) => column.notNull())
        .addColumn('approved_at', 'bigint', (column) => column.notNull())
        .execute();
      await schema
        .createTable('nodes')
        .addColumn('name', text, (column) => column.primaryKey())
        .addColumn('cluster', text)
        .addColumn('facts', blob)
        .addColumn('seen_at', 'bigint')
        .addColumn('catalog_id', 'bigint')
        .addColumn('applied_catalog_id', 'bigint')
        .execute();
      await schema
        .createTable('catalogs')
        .addColumn('id', ...id)
        .addColumn('node', text, (column) => column.notNull())
        .addColumn('body', blob, (column) => column.notNull())
        .addColumn('approved_at', 'bigint', (column) => column.notNull())
        .execute();
      await schema.createIndex('catalogs_node').on('catalogs').column('node').execute();
      await schema
        .createTable('reports')
        .addColumn('id', ...id)
        .addColumn('node', text, (column) => column.notNull())
        .addColumn('received_at', 'bigint', (column) => column.notNull())
        .addColumn('status', text, (column) => column.notNull())
        .addColumn('is_noop', 'integer', (column) => column.notNull())
        .addColumn('changed', 'integer', (column) => column.notNull())
        .addColumn('corrective', 'integer', (column) => column.notNull())
        .addColumn('failed', 'integer', (column) => column.notNull())
        .addColumn('seconds', 'double precision', (column) => column.notNull())
        .addColumn('agent_version', text, (column) => column.notNull())
        .addColumn('body', blob, (column) => column.notNull())
        .addColumn('size', 'integer', (column) => column.notNull())
        .execute();
      await sql`create index reports_node on reports (node, id)`.execute(db);
      await schema.createIndex('reports_age').on('reports').column('received_at').execute();
    },
  },
  '0002-status': {
    async up(db: Kysely<Schema>) {
      const { schema } = db;
      const { text } = columnTypes(db);
      await schema.alterTable('nodes').addColumn('roles', text).execute();
      await schema.alterTable('nodes').addColumn('address', text).execute();
      await schema.alterTable('nodes').addColumn('last_report_id', 'bigint').execute();
      await schema.alterTable('nodes').addColumn('last_status', text).execute();
      await schema.createIndex('nodes_cluster').on('nodes').columns(['cluster', 'name']).execute();
      // A covering index for counting the nodes of clusters.
      await schema.createIndex('nodes_counts').on('nodes').columns(['cluster', 'last_status', 'seen_at']).execute();
      await schema.createIndex('certificates_end').on('certificates').column('not_after').execute();
      await db
        .updateTable('nodes')
        .set((eb) => ({
          last_report_id: eb
            .selectFrom('reports')
            .select(({ fn }) => fn.max('reports.id').as('id'))
            .whereRef('reports.node', '=', 'nodes.name'),
        }))
        .execute();
      await db
        .updateTable('nodes')
        .set((eb) => ({
          last_status: eb.selectFrom('reports').select('status').whereRef('reports.id', '=', 'nodes.last_report_id'),
        }))
        .execute();
      for (const { plan } of await db.selectFrom('plans').select('plan').execute()) {
        const { nodes } = JSON.parse(expand(plan)) as Pick<ClusterPlan, 'nodes'>;
        for (const { name, roles, address } of nodes) {
          await db.updateTable('nodes').set({ roles: roles.join(), address }).where('name', '=', name).execute();
        }
      }
    },
  },
  '0003-overdue': {
    async up(db: Kysely<Schema>) {
      const { schema } = db;
      await schema
        .alterTable('certificates')
        .addColumn('overdue_at', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      // A quarter of the lifetimes until now: thirty days, and ten years for identities.
      const day = 24 * 3600_000;
      for (const [purpose, days] of [
        ['service', 30],
        ['identity', 10 * 365],
      ] as const) {
        await db
          .updateTable('certificates')
          .set((eb) => ({ overdue_at: eb('not_after', '-', (days * day) / 4) }))
          .where('purpose', '=', purpose)
          .execute();
      }
      await schema.dropIndex('certificates_end').execute();
      await schema.createIndex('certificates_overdue').on('certificates').column('overdue_at').execute();
    },
  },
  '0004-revocations': {
    async up(db: Kysely<Schema>) {
      const { schema } = db;
      const { text } = columnTypes(db);
      await schema
        .createTable('revocations')
        .addColumn('cluster', text, (column) => column.notNull())
        .addColumn('node', text, (column) => column.notNull())
        .addColumn('enrolment', text, (column) => column.notNull())
        .addColumn('revoked_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('revocations_key', ['node', 'enrolment'])
        .execute();
      await schema.createIndex('revocations_cluster').on('revocations').column('cluster').execute();
    },
  },
  '0005-summaries': {
    async up(db: Kysely<Schema>) {
      const { text } = columnTypes(db);
      await db.schema
        .alterTable('plans')
        .addColumn('summary', text, (column) => column.notNull().defaultTo('{}'))
        .execute();
      for (const { cluster } of await db.selectFrom('plans').select('cluster').execute()) {
        const { plan } = await db
          .selectFrom('plans')
          .select('plan')
          .where('cluster', '=', cluster)
          .executeTakeFirstOrThrow();
        const summary = JSON.stringify(summaryOf(JSON.parse(expand(plan)) as ClusterPlan));
        await db.updateTable('plans').set({ summary }).where('cluster', '=', cluster).execute();
      }
    },
  },
};
