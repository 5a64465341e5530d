import { createTofuTables } from '@nova-platform/infra';
import { addOperationTitles, createOperationTables } from '@nova-platform/operations';
import { columnTypes, isPostgres } from '@nova-platform/store';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Forward only: a change of the schema is a new entry at the end. */
export const migrations: Record<string, Migration> = {
  '0001-operations': {
    async up(db: Kysely<unknown>) {
      await createOperationTables(db);
      const { schema } = db;
      const { text } = columnTypes(db);
      await schema
        .createTable('clusters')
        .addColumn('name', text, (column) => column.primaryKey())
        .addColumn('revision', 'integer', (column) => column.notNull())
        .addColumn('sealed_documents', text, (column) => column.notNull())
        .addColumn('provider', text, (column) => column.notNull())
        .addColumn('kubernetes_version', text, (column) => column.notNull())
        .addColumn('node_count', 'integer', (column) => column.notNull())
        .addColumn('changed_at', 'bigint', (column) => column.notNull())
        .addColumn('changed_by', text, (column) => column.notNull())
        .execute();
    },
  },
  '0002-access': {
    async up(db: Kysely<unknown>) {
      const { schema } = db;
      const { id, text } = columnTypes(db);
      await schema
        .createTable('users')
        .addColumn('name', text, (column) => column.primaryKey())
        .addColumn('role', text, (column) => column.notNull())
        .addColumn('password_hash', text)
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await schema
        .createTable('access_tokens')
        .addColumn('id', text, (column) => column.primaryKey())
        .addColumn('user', text, (column) => column.notNull().references('users.name').onDelete('cascade'))
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('role', text, (column) => column.notNull())
        .addColumn('hash', text, (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('used_at', 'bigint')
        .execute();
      await schema.createIndex('access_tokens_user').on('access_tokens').column('user').execute();
      await schema
        .createTable('sessions')
        .addColumn('hash', text, (column) => column.primaryKey())
        .addColumn('user', text, (column) => column.notNull().references('users.name').onDelete('cascade'))
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await schema
        .createTable('audit')
        .addColumn('id', ...id)
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('who', text, (column) => column.notNull())
        .addColumn('from_address', text, (column) => column.notNull())
        .addColumn('action', text, (column) => column.notNull())
        .addColumn('target', text, (column) => column.notNull())
        .addColumn('outcome', 'integer', (column) => column.notNull())
        .execute();
      // The audit trail is append-only, even for bugs of Universe itself.
      if (isPostgres(db)) {
        await sql`create function audit_is_final() returns trigger language plpgsql as
          $$ begin raise exception 'the audit trail is only added to'; end $$`.execute(db);
        await sql`create trigger audit_is_final before update or delete or truncate on audit
          for each statement execute function audit_is_final()`.execute(db);
      } else {
        for (const change of ['update', 'delete']) {
          await sql`create trigger ${sql.raw(`audit_no_${change}`)} before ${sql.raw(change)} on audit
            begin select raise(abort, 'the audit trail is only added to'); end`.execute(db);
        }
      }
    },
  },
  '0003-founders': {
    async up(db: Kysely<unknown>) {
      const { text } = columnTypes(db);
      await db.schema.alterTable('clusters').addColumn('founders', text).execute();
    },
  },
  '0004-login-links': {
    async up(db: Kysely<unknown>) {
      const { text } = columnTypes(db);
      await db.schema
        .createTable('login_links')
        .addColumn('hash', text, (column) => column.primaryKey())
        .addColumn('user', text, (column) => column.notNull().references('users.name').onDelete('cascade'))
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '0005-origins': {
    async up(db: Kysely<unknown>) {
      const { schema } = db;
      const { text } = columnTypes(db);
      // The origin of existing credentials is unknown. Users log in again; tokens stay, and end with the next password
      // change of their user.
      await sql`delete from sessions`.execute(db);
      await sql`delete from login_links`.execute(db);
      for (const table of ['access_tokens', 'sessions', 'login_links'])
        for (const [column, parent] of [
          ['password_of', 'users.name'],
          ['parent_token', 'access_tokens.id'],
          ...(table === 'access_tokens' ? [] : [['parent_session', 'sessions.hash'] as const]),
        ] as const) {
          await schema
            .alterTable(table)
            .addColumn(column, text, (to) => to.references(parent).onDelete('cascade'))
            .execute();
          await schema.createIndex(`${table}_${column}`).on(table).column(column).execute();
        }
      for (const table of ['sessions', 'login_links'])
        await schema
          .alterTable(table)
          .addColumn('role', text, (column) => column.notNull().defaultTo('viewer'))
          .execute();
      await sql`update access_tokens set password_of = "user"
        where "user" in (select name from users where password_hash is not null)`.execute(db);
    },
  },
  '0006-audit-details': {
    async up(db: Kysely<unknown>) {
      const { text } = columnTypes(db);
      for (const column of ['credential', 'changes'])
        await db.schema.alterTable('audit').addColumn(column, text).execute();
    },
  },
  '0007-plans': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('clusters').addColumn('plan', columnTypes(db).text).execute();
    },
  },
  '0008-operation-titles': { up: addOperationTitles },
  '0009-initial-members': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('clusters').renameColumn('founders', 'initial_members').execute();
    },
  },
  '0010-tofu': { up: createTofuTables },
};
