import { expect, test } from 'vitest';
import { fuzzUniverse } from './fuzz-universe.ts';

// `npm run fuzz:universe` runs a hundred thousand cases.
test('mutated requests to Universe cause no crash, failure or hang, memory stays bounded, and refused requests store nothing', async () => {
  const { statuses, kinds } = await fuzzUniverse(4000, 1);
  // The cases reach code behind authentication, and every common kind of refusal.
  expect(statuses['200']).toBeGreaterThan(300);
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['400', '401', '403', '404', '422']));
  expect(kinds).toBeGreaterThan(40);
});
