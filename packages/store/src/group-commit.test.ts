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

  /** Writes a row with a unique title. */
  function write(title: string, fail?: () => Promise<unknown>): Promise<void> {
    return commit.write(async (transaction) => {
      await transaction.insertInto('notes').values({ title }).execute();
      await fail?.();
    });
  }

  /** The committed rows, read over another connection. */
  async function committed(): Promise<string[]> {
    const other = await openStore<Schema>(location);
    const rows = await other.selectFrom('notes').select('title').orderBy('id').execute();
    await other.destroy();
    return rows.map(({ title }) => title);
  }

  test('a finished write is committed', async () => {
    await write('one');
    expect(await committed()).toEqual(['one']);
  });

  test('concurrent writes finish in order of arrival', async () => {
    const titles = Array.from({ length: 100 }, (_, index) => `note-${index}`);
    const done: string[] = [];
    await Promise.all(titles.map((title) => write(title).then(() => done.push(title))));
    expect(done).toEqual(titles);
    expect(await committed()).toEqual(titles);
  });

  test('writes that arrive during a commit share the next one', async () => {
    const transactions = vi.spyOn(db, 'transaction');
    await Promise.all(Array.from({ length: 50 }, (_, index) => write(`note-${index}`)));
    // The first write had its own commit.
    expect(transactions).toHaveBeenCalledTimes(2);
    expect(await committed()).toHaveLength(50);
  });

  test('a failed write leaves no data and does not affect other writes of its batch', async () => {
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

  test('a statement that the database rejects leaves no data, even if the writer ignores the error', async () => {
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
      // SQLite continues the transaction after a failed statement. PostgreSQL aborts it, so the write must be rejected.
      location.kind === 'sqlite' ? 'fulfilled' : 'rejected',
    ]);
    expect(await committed()).toEqual(['first', 'second']);
  });

  test('writes succeed after a failure', async () => {
    await expect(write('faulty', () => Promise.reject(new Error('out of luck')))).rejects.toThrow('out of luck');
    await write('next');
    expect(await committed()).toEqual(['next']);
  });
});
