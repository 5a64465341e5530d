import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { GroupCommit } from './group-commit.ts';

let folder: string;
let db: Database;
let commit: GroupCommit;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-store-'));
  db = await openDatabase(join(folder, 'config.db'));
  commit = new GroupCommit(db);
});
afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true });
});

const empty = { body: Buffer.from(''), approved_at: 0 };

/** Writes a row; `node` tells it from others. */
function write(node: string, fail?: Error): Promise<void> {
  return commit.write(async (transaction) => {
    await transaction
      .insertInto('catalogs')
      .values({ node, ...empty })
      .execute();
    if (fail) throw fail;
  });
}

/** As somebody else sees it: only what is committed. */
function committed(): unknown[] {
  const other = new DatabaseSync(join(folder, 'config.db'), { readOnly: true });
  const rows = other.prepare('select node from catalogs order by id').all();
  other.close();
  return rows.map(({ node }) => node);
}

test('a write that is done is committed', async () => {
  await write('one');
  expect(committed()).toEqual(['one']);
});

test('writes that come together are done in the order in which they came', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `node-${index}`);
  const done: string[] = [];
  await Promise.all(names.map((name) => write(name).then(() => done.push(name))));
  expect(done).toEqual(names);
  expect(committed()).toEqual(names);
});

test('writes that come while others are written share one commit', async () => {
  const seen: number[] = [];
  const names = Array.from({ length: 50 }, (_, index) => `node-${index}`);
  await Promise.all(names.map((name) => write(name).then(() => seen.push(committed().length))));
  // The first went alone, the rest were all there when the second was done.
  expect(new Set(seen)).toEqual(new Set([1, 50]));
});

test('a write that fails leaves nothing behind and does its neighbours no harm', async () => {
  const fault = new Error('out of luck');
  const outcomes = await Promise.allSettled([
    write('first'),
    write('second'),
    write('faulty', fault),
    write('third'),
    write('faulty too', fault),
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
  expect(committed()).toEqual(['first', 'second', 'third', 'fourth']);
});

test('after a failure others are written as before', async () => {
  await expect(write('faulty', new Error('out of luck'))).rejects.toThrow('out of luck');
  await write('next');
  expect(committed()).toEqual(['next']);
});
