import { expect, test } from 'vitest';
import { stillMissing, waitUntil } from './wait.ts';

const expired = (missing: string) => new Error(`${missing} is missing`);

test('waiting ends as soon as nothing is missing', async () => {
  const found = ['network', 'network', 'disk', undefined, 'never asked'];
  const reported: string[] = [];
  await waitUntil(async () => found.shift(), {
    every: 1,
    within: 60_000,
    expired,
    onMissing: (missing) => reported.push(missing),
  });
  expect(found).toEqual(['never asked']);
  expect(reported).toEqual(['network', 'disk']);
});

test('waiting fails with the missing item after the deadline', async () => {
  const waiting = waitUntil(async () => 'disk', { every: 1, within: 20, expired });
  await expect(waiting).rejects.toThrow('disk is missing');
});

test('a wait without an error returns the missing item after the deadline', async () => {
  expect(await stillMissing(async () => 'disk', { every: 1, within: 20 })).toBe('disk');
  expect(await stillMissing(async () => undefined, { every: 1, within: 20 })).toBeUndefined();
});

test('a success after the deadline counts', async () => {
  let checks = 0;
  const check = async () => {
    checks += 1;
    // The first check exceeds the whole timeout, as on a suspended host.
    if (checks === 1) await new Promise((resolve) => setTimeout(resolve, 30));
    return checks === 1 ? 'disk' : undefined;
  };
  await waitUntil(check, { every: 1, within: 10, expired });
  expect(checks).toBe(2);
});

test('an abort ends the wait', async () => {
  const controller = new AbortController();
  const waiting = waitUntil(async () => 'disk', { every: 10_000, within: 60_000, expired, signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
});
