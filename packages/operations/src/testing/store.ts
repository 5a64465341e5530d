import { migrate, openStore, type StoreLocation } from '@nova-platform/store';
import type { Kysely } from 'kysely';
import { Journal } from '../journal.ts';
import { addOperationTitles, createOperationTables, type OperationsSchema } from '../schema.ts';

/** A journal on a new store. */
export async function openJournal(location: StoreLocation): Promise<Journal> {
  const db = await openStore<OperationsSchema>(location);
  await migrate(db, 'operations', {
    '0001-operations': { up: createOperationTables },
    '0002-titles': { up: addOperationTitles },
  });
  return new Journal(db);
}

/**
 * The next `count` writes fail: before anything is committed, or with `isKept` after the commit, as if its response was
 * lost.
 */
export function loseStore<Schema>(db: Kysely<Schema>, { count, isKept }: { count: number; isKept: boolean }): void {
  let left = count;
  const begin = db.transaction.bind(db);
  const lose: typeof begin = () => {
    const builder = begin();
    const execute = builder.execute.bind(builder);
    builder.execute = async (work) => {
      if (isKept) await execute(work);
      throw new Error('the connection is lost');
    };
    left -= 1;
    if (left === 0) Reflect.deleteProperty(db, 'transaction');
    return builder;
  };
  Object.assign(db, { transaction: lose });
}
