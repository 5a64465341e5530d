import { writeFile } from 'node:fs/promises';
import { type Generated, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { columnTypes, migrate, openStore, type StoreLocation } from './index.ts';
import { eachStore } from './testing.ts';

interface Schema {
  notes: { id: Generated<number>; title: string; body: Uint8Array | null; at: number; weight: number };
}

const migrations: Record<string, Migration> = {
  '0001-notes': {
    async up(db: Kysely<unknown>) {
      const { id, text, blob } = columnTypes(db);
      await db.schema
        .createTable('notes')
        .addColumn('id', ...id)
        .addColumn('title', text, (column) => column.notNull())
        .addColumn('body', blob)
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('weight', 'double precision', (column) => column.notNull())
        .execute();
    },
  },
};

const note = { title: 'one', body: null, at: 0, weight: 0 };

eachStore('a store', (locate) => {
  let location: StoreLocation;
  let db: Kysely<Schema>;

  beforeEach(async () => {
    location = await locate();
    db = await openStore<Schema>(location);
  });
  afterEach(() => db.destroy());

  const titles = async () =>
    (await db.selectFrom('notes').select('title').orderBy('title').execute()).map(({ title }) => title);
  const applied = async (part: string) =>
    (await sql<{ name: string; timestamp: string }>`select * from ${sql.table(`${part}_migrations`)}`.execute(db)).rows;

  test('a store is migrated once and keeps its data', async () => {
    await migrate(db, 'notes', migrations);
    await db.insertInto('notes').values(note).execute();
    const first = await applied('notes');
    expect(first.map(({ name }) => name)).toEqual(['0001-notes']);

    await db.destroy();
    db = await openStore<Schema>(location);
    await migrate(db, 'notes', migrations);
    expect(await applied('notes')).toEqual(first);
    expect(await titles()).toEqual(['one']);
  });

  test('parts have separate migration tables', async () => {
    await migrate(db, 'notes', migrations);
    await migrate(db, 'other', {
      '0000-other': { up: ({ schema }) => schema.createTable('other').addColumn('id', 'integer').execute() },
    });
    await migrate(db, 'notes', migrations);
    expect((await applied('other')).map(({ name }) => name)).toEqual(['0000-other']);
    expect((await applied('notes')).map(({ name }) => name)).toEqual(['0001-notes']);
  });

  test('a failed migration leaves no data and runs again once its cause is fixed', async () => {
    const broken: Migration = {
      async up({ schema }: Kysely<unknown>) {
        await schema.createTable('more').addColumn('id', 'integer').execute();
        throw new Error('out of luck');
      },
    };
    await expect(migrate(db, 'notes', { ...migrations, '0002-more': broken })).rejects.toThrow('out of luck');
    const fixed: Migration = { up: ({ schema }) => schema.createTable('more').addColumn('id', 'integer').execute() };
    await migrate(db, 'notes', { ...migrations, '0002-more': fixed });
    expect((await applied('notes')).map(({ name }) => name)).toEqual(['0001-notes', '0002-more']);
  });

  test('values are read as they were written', async () => {
    await migrate(db, 'notes', migrations);
    const given = { title: 'Ж’\n', body: Buffer.from([0, 1, 255]), at: Date.UTC(2100), weight: 0.1 + 0.2 };
    const { id } = await db.insertInto('notes').values(given).returning('id').executeTakeFirstOrThrow();
    const { body, ...rest } = await db.selectFrom('notes').selectAll().executeTakeFirstOrThrow();
    expect(rest).toEqual({ id, title: given.title, at: given.at, weight: given.weight });
    expect(body).toBeInstanceOf(Uint8Array);
    expect(Buffer.from(body ?? [])).toEqual(given.body);
    const sums = db.selectFrom('notes').select(({ fn }) => [fn.countAll().as('count'), fn.sum('at').as('sum')]);
    expect(await sums.executeTakeFirst()).toEqual({ count: 1, sum: given.at });
  });

  test('text is sorted by bytes', async () => {
    await migrate(db, 'notes', migrations);
    const ordered = ['B', 'a', 'a-b', 'a.c', 'aa', 'b', 'é'];
    await db
      .insertInto('notes')
      .values(ordered.toReversed().map((title) => ({ ...note, title })))
      .execute();
    expect(await titles()).toEqual(ordered);
  });

  test('a failed transaction leaves no data', async () => {
    await migrate(db, 'notes', migrations);
    const faulty = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('notes').values(note).execute();
      throw new Error('out of luck');
    });
    await expect(faulty).rejects.toThrow('out of luck');
    expect(await titles()).toEqual([]);
  });

  test('a commit is synced to disk', async () => {
    const ask = async (query: string) => Object.values((await sql.raw<object>(query).execute(db)).rows[0] ?? {})[0];
    if (location.kind === 'sqlite') {
      expect(await ask('pragma journal_mode')).toBe('wal');
      expect(await ask('pragma synchronous')).toBe(2);
    } else {
      expect(await ask('show synchronous_commit')).toBe('on');
      expect(await ask('show fsync')).toBe('on');
    }
  });

  test('opening something other than a store fails', async () => {
    const next = await locate();
    if (next.kind === 'sqlite') {
      await writeFile(next.file, 'this is something else, and long enough to be looked at'.repeat(100));
      await expect(openStore(next)).rejects.toThrow('file is not a database');
    } else {
      const nowhere = { ...next, url: next.url.replace(/test_\d+/, 'nowhere') };
      await expect(openStore(nowhere)).rejects.toThrow('database "nowhere" does not exist');
    }
  });
});
