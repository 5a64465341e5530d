import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Forward only: a change of the schema is a new entry at the end. */
export const migrations: Record<string, Migration> = {
  '0001-nodes': {
    async up(db: Kysely<unknown>) {
      const { schema } = db;
      await schema
        .createTable('authorities')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('certificate', 'text', (column) => column.notNull())
        .addColumn('sealed_key', 'text', (column) => column.notNull())
        .execute();
      await schema
        .createTable('shared_keys')
        .addColumn('cluster', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('sealed', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('shared_keys_key', ['cluster', 'name'])
        .execute();
      await schema
        .createTable('tokens')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('node', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('used_at', 'bigint')
        .execute();
      await schema
        .createTable('certificates')
        .addColumn('serial', 'text', (column) => column.primaryKey())
        .addColumn('purpose', 'text', (column) => column.notNull())
        .addColumn('node', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('certificate', 'text', (column) => column.notNull())
        .addColumn('not_after', 'bigint', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .execute();
      await schema.createIndex('certificates_node').on('certificates').columns(['node', 'purpose']).execute();
      await schema
        .createTable('plans')
        .addColumn('cluster', 'text', (column) => column.primaryKey())
        .addColumn('plan', 'blob', (column) => column.notNull())
        .addColumn('sealed_secrets', 'text', (column) => column.notNull())
        .addColumn('approved_at', 'bigint', (column) => column.notNull())
        .execute();
      await schema
        .createTable('nodes')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('cluster', 'text')
        .addColumn('facts', 'blob')
        .addColumn('seen_at', 'bigint')
        .addColumn('catalog_id', 'integer')
        .addColumn('applied_catalog_id', 'integer')
        .execute();
      await schema
        .createTable('catalogs')
        .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
        .addColumn('node', 'text', (column) => column.notNull())
        .addColumn('body', 'blob', (column) => column.notNull())
        .addColumn('approved_at', 'bigint', (column) => column.notNull())
        .execute();
      await schema.createIndex('catalogs_node').on('catalogs').column('node').execute();
      await schema
        .createTable('reports')
        .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
        .addColumn('node', 'text', (column) => column.notNull())
        .addColumn('received_at', 'bigint', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('is_noop', 'integer', (column) => column.notNull())
        .addColumn('changed', 'integer', (column) => column.notNull())
        .addColumn('corrective', 'integer', (column) => column.notNull())
        .addColumn('failed', 'integer', (column) => column.notNull())
        .addColumn('seconds', 'real', (column) => column.notNull())
        .addColumn('agent_version', 'text', (column) => column.notNull())
        .addColumn('body', 'blob', (column) => column.notNull())
        .addColumn('size', 'integer', (column) => column.notNull())
        .execute();
      await sql`create index reports_node on reports (node, id)`.execute(db);
      await schema.createIndex('reports_age').on('reports').column('received_at').execute();
    },
  },
};
