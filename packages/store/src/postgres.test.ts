import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GroupCommit, openStore } from './index.ts';
import { describePostgres } from './testing.ts';

interface Schema {
  notes: { title: string };
}

describePostgres('commits on a server', (server) => {
  let db: Kysely<Schema>;
  let url = '';

  beforeEach(async () => {
    url = await server().newDatabase();
    db = await openStore<Schema>({ kind: 'postgres', url });
    await db.schema.createTable('notes').addColumn('title', 'text').execute();
  });
  afterEach(() => db.destroy());

  test('fail during a crash of the server and succeed after its restart', async () => {
    const commit = new GroupCommit(db);
    const write = (title: string) =>
      commit.write(async (transaction) => {
        await transaction.insertInto('notes').values({ title }).execute();
      });
    const titles = () => db.selectFrom('notes').select('title').execute();
    await write('before');
    // Connections that are busy, in a transaction, and idle.
    await Promise.all(Array.from({ length: 5 }, titles));
    const busy = sql`select pg_sleep(60)`.execute(db);
    const halfWay = commit.write(async (transaction) => {
      await transaction.insertInto('notes').values({ title: 'half-way' }).execute();
      await server().kill();
    });
    const waiting = write('waiting');
    const outcomes = await Promise.allSettled([busy, halfWay, waiting]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(titles()).rejects.toThrow();

    await server().start();
    expect(await titles()).toEqual([{ title: 'before' }]);
    await write('after');
    expect(await titles()).toEqual([{ title: 'before' }, { title: 'after' }]);
  });

  test('wait for the previous commit, even from another connection', async () => {
    const other = await openStore<Schema>({ kind: 'postgres', url });
    const under = Promise.withResolvers<void>();
    const earlier = new GroupCommit(other).write(async (transaction) => {
      await transaction.insertInto('notes').values({ title: 'earlier' }).execute();
      await under.promise;
    });
    await expect.poll(() => locksIn(db)).toBe(1);
    let seen: { title: string }[] = [];
    const later = new GroupCommit(db).write(async (transaction) => {
      seen = await transaction.selectFrom('notes').select('title').execute();
    });
    await expect.poll(() => locksIn(db)).toBe(2);
    under.resolve();
    await Promise.all([earlier, later]);
    expect(seen).toEqual([{ title: 'earlier' }]);
    await other.destroy();
  });
});

/** Number of commit locks that are held or requested. */
async function locksIn(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql`select pid from pg_locks where locktype = 'advisory'`.execute(db);
  return rows.length;
}
