import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ParsedRecords, removeRecord, writeRecord } from './files.ts';

interface Box {
  size: number;
  parts: string[];
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

function boxes() {
  const parsed: Box[] = [];
  const records = new ParsedRecords((stored) => {
    parsed.push(stored as Box);
    return stored as Box;
  });
  return { parsed, records };
}

test('a record is parsed again only after a write', async () => {
  const { parsed, records } = boxes();
  const path = join(folder, 'box.json');
  expect(await records.read(path)).toBeUndefined();
  for (let size = 1; size <= 50; size += 1) {
    await writeRecord(path, { size, parts: [] });
    for (let time = 0; time < 3; time += 1) expect((await records.read(path))?.size).toBe(size);
  }
  expect(parsed).toHaveLength(50);
  await removeRecord(path);
  expect(await records.read(path)).toBeUndefined();
});

test('a reader cannot change the record of other readers', async () => {
  const { records } = boxes();
  const path = join(folder, 'shared.json');
  await writeRecord(path, { size: 1, parts: ['a'] });
  const record = await records.read(path);
  expect(() => record?.parts.push('b')).toThrow(TypeError);
  expect(await records.readAll([path, join(folder, 'missing.json')])).toEqual([{ size: 1, parts: ['a'] }]);
});
