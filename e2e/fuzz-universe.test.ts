import { expect, test } from 'vitest';
import { fuzzUniverse } from './fuzz-universe.ts';

// `npm run fuzz:universe` does a hundred thousand.
test('mutated requests to Universe: no crash, no failure, no hang, memory bounded, nothing kept of what is refused', async () => {
  const { statuses, kinds } = await fuzzUniverse(2000, 1);
  // They reach what is behind authentication, and every reason to refuse.
  expect(statuses['200']).toBeGreaterThan(150);
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['400', '401', '403', '404', '415', '422']));
  expect(kinds).toBeGreaterThan(40);
});
