import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { migrations } from './migrations.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-store-'));
});
afterEach(() => rm(folder, { recursive: true }));

const open = () => openDatabase(join(folder, 'config.db'));

test('a store is brought up to date once, and what is in it stays', async () => {
  const first = await open();
  await first.insertInto('tokens').values({ hash: 'h', node: 'n', expires_at: 1, used_at: null }).execute();
  const applied = await sql`select name, timestamp from kysely_migration`.execute(first);
  await first.destroy();
  expect(applied.rows.map((row) => (row as { name: string }).name)).toEqual(Object.keys(migrations));

  const second = await open();
  expect((await sql`select name, timestamp from kysely_migration`.execute(second)).rows).toEqual(applied.rows);
  expect(await second.selectFrom('tokens').select('node').execute()).toEqual([{ node: 'n' }]);
  await second.destroy();
});

test('a commit waits for the disk', async () => {
  const db = await open();
  expect((await sql`pragma journal_mode`.execute(db)).rows).toEqual([{ journal_mode: 'wal' }]);
  expect((await sql`pragma synchronous`.execute(db)).rows).toEqual([{ synchronous: 2 }]);
  await db.destroy();
});

test('a transaction that fails leaves nothing', async () => {
  const db = await open();
  const faulty = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('tokens').values({ hash: 'h', node: 'n', expires_at: 1, used_at: null }).execute();
    throw new Error('out of luck');
  });
  await expect(faulty).rejects.toThrow('out of luck');
  expect(await db.selectFrom('tokens').selectAll().execute()).toEqual([]);
  await db.destroy();
});

test('what is no store is not opened', async () => {
  await writeFile(join(folder, 'config.db'), 'this is something else, and long enough to be looked at'.repeat(100));
  await expect(open()).rejects.toThrow('file is not a database');
});
