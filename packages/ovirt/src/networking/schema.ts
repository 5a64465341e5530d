import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export interface NetworkingSchema {
  /** Networks that were created through this API. The engine has a network only once it has a subnet. */
  declared_networks: {
    name: string;
    /** Null without a subnet. */
    subnet_name: string | null;
  };
  /** Records of the API of virtual machines; this API only reads them. */
  ovirt_records: { kind: string; id: string; value: string };
}

export const networkingMigrations: Record<string, Migration> = {
  '0001-networks': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('declared_networks')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('subnet_name', 'text')
        .execute();
    },
  },
};
