import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Identity } from '../api/identity.ts';

/** Times are milliseconds since 1970. */
export interface AccessSchema {
  users: { name: string; role: Identity['role']; password_hash: string; created_at: number };
  /** By their hashes: tokens are random, so a hash without salt and cost is enough. */
  tokens: { hash: string; user: string; created_at: number; expires_at: number };
}

export const accessMigrations: Record<string, Migration> = {
  '0001-users': {
    async up(db: Kysely<unknown>) {
      const { schema } = db;
      await schema
        .createTable('users')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('role', 'text', (column) => column.notNull())
        .addColumn('password_hash', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await schema
        .createTable('tokens')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('user', 'text', (column) => column.notNull().references('users.name').onDelete('cascade'))
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await schema.createIndex('tokens_by_user').on('tokens').columns(['user', 'created_at']).execute();
    },
  },
};
