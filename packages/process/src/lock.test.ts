import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exclusively, sharing, unlessLocked } from './lock.ts';

let folder: string;
let lock: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-lock-'));
  lock = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true }));

test('exclusive work waits until the lock is free', async () => {
  const trace: string[] = [];
  const isWaiting = Promise.withResolvers<void>();
  const first = exclusively(
    lock,
    () => undefined,
    async () => {
      trace.push('first');
      const second = exclusively(lock, isWaiting.resolve, async () => void trace.push('second'));
      await isWaiting.promise;
      trace.push('first ends');
      return { second };
    },
  );
  await (await first).second;
  expect(trace).toEqual(['first', 'first ends', 'second']);
});

test('work that does not wait is skipped while the lock is held, even if it is shared', async () => {
  const trace: string[] = [];
  await sharing(lock, async () => {
    await sharing(lock, async () => void trace.push('shared'));
    await unlessLocked(lock, async () => void trace.push('left out'));
  });
  await unlessLocked(lock, async () => void trace.push('free'));
  expect(trace).toEqual(['shared', 'free']);
});
