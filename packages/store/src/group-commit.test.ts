import { type Generated, type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { columnTypes, GroupCommit, openStore, type StoreLocation } from './index.ts';
import { eachStore } from './testing.ts';

interface Schema {
  notes: { id: Generated<number>; title: string };
}

eachStore('group commit', (locate) => {
  let location: StoreLocation;
  let db: Kysely<Schema>;
  let commit: GroupCommit<Schema>;

  beforeEach(async () => {
    location = await locate();
    db = await openStore<Schema>(location);
    const { id, text } = columnTypes(db);
    await db.schema
      .createTable('notes')
      .addColumn('id', ...id)
      .addColumn('title', text, (column) => column.notNull())
      .execute();
    commit = new GroupCommit(db);
  });
  afterEach(() => db.destroy());

  /** Writes a row; `title` tells it from others. */
  function write(title: string, fail?: () => Promise<unknown>): Promise<void> {
    return commit.write(async (transaction) => {
      await transaction.insertInto('notes').values({ title }).execute();
      await fail?.();
    });
  }

  /** As somebody else sees it: only what is committed. */
  async function committed(): Promise<string[]> {
    const other = await openStore<Schema>(location);
    const rows = await other.selectFrom('notes').select('title').orderBy('id').execute();
    await other.destroy();
    return rows.map(({ title }) => title);
  }

  test('a write that is done is committed', async () => {
    await write('one');
    expect(await committed()).toEqual(['one']);
  });

  test('writes that come together are done in the order in which they came', async () => {
    const titles = Array.from({ length: 100 }, (_, index) => `note-${index}`);
    const done: string[] = [];
    await Promise.all(titles.map((title) => write(title).then(() => done.push(title))));
    expect(done).toEqual(titles);
    expect(await committed()).toEqual(titles);
  });

  test('writes that come while others are written share one commit', async () => {
    const transactions = vi.spyOn(db, 'transaction');
    await Promise.all(Array.from({ length: 50 }, (_, index) => write(`note-${index}`)));
    // The first went alone.
    expect(transactions).toHaveBeenCalledTimes(2);
    expect(await committed()).toHaveLength(50);
  });

  test('a write that fails leaves nothing behind and does its neighbours no harm', async () => {
    const fault = new Error('out of luck');
    const fail = () => Promise.reject(fault);
    const outcomes = await Promise.allSettled([
      write('first'),
      write('second'),
      write('faulty', fail),
      write('third'),
      write('faulty too', fail),
      write('fourth'),
    ]);
    expect(outcomes.map((each) => (each.status === 'rejected' ? each.reason : 'done'))).toEqual([
      'done',
      'done',
      fault,
      'done',
      fault,
      'done',
    ]);
    expect(await committed()).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('so does one that the database refuses, even when it says nothing of it', async () => {
    const broken = sql`insert into nowhere values (1)`;
    const outcomes = await Promise.allSettled([
      write('first'),
      commit.write((transaction) => broken.execute(transaction).then(() => undefined)),
      write('second'),
      commit.write((transaction) =>
        broken.execute(transaction).then(
          () => undefined,
          () => undefined,
        ),
      ),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      // After a statement that fails SQLite goes on; PostgreSQL does not, and must not look as if it did.
      location.kind === 'sqlite' ? 'fulfilled' : 'rejected',
    ]);
    expect(await committed()).toEqual(['first', 'second']);
  });

  test('after a failure others are written as before', async () => {
    await expect(write('faulty', () => Promise.reject(new Error('out of luck')))).rejects.toThrow('out of luck');
    await write('next');
    expect(await committed()).toEqual(['next']);
  });
});
