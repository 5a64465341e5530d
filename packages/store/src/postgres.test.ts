import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GroupCommit, openStore } from './index.ts';
import { describePostgres } from './testing.ts';

interface Schema {
  notes: { title: string };
}

describePostgres('a server that goes away', (server) => {
  let db: Kysely<Schema>;

  beforeEach(async () => {
    db = await openStore<Schema>({ kind: 'postgres', url: await server().newDatabase() });
    await db.schema.createTable('notes').addColumn('title', 'text').execute();
  });
  afterEach(() => db.destroy());

  test('harms those who ask it meanwhile, and nobody afterwards', async () => {
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
});
