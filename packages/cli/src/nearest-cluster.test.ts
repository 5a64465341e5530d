import { expect, test } from 'vitest';
import { answering } from './testing/answers.ts';

const missing = { problems: [{ code: 'NOVA8321', params: { cluster: 'dmo' }, path: [] }] };
const clusters = (...names: string[]) => ({ 'GET /v1/clusters': { clusters: names.map((name) => ({ name })) } });

test.each([
  [['demo', 'shop'], 'Did you mean demo? Check the name.'],
  [['shop', 'prod'], 'Clusters: shop, prod. Check the name.'],
  [[], 'There are no clusters. Check the name.'],
])('an unknown cluster beside %j: %s', async (names, remedy) => {
  await using universe = await answering(clusters(...names), missing);
  const { exitCode, stderr } = await universe.ctl(['status', 'dmo']);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(`NOVA8321\n  There is no cluster dmo.\n  → ${remedy}\n`);
});

test('the problem is reported even if clusters cannot be listed', async () => {
  await using universe = await answering({}, missing);
  expect((await universe.ctl(['stop', 'dmo'])).stderr).toMatch(/^NOVA8321/);
});
