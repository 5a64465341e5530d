import { expect, test } from 'vitest';
import { fuzzRequests } from './fuzz-requests.ts';

// `npm run fuzz:requests` runs a hundred thousand cases.
test('mutated requests cause no crash, failure or hang, memory stays bounded, and refused requests store nothing', async () => {
  const { statuses, kinds } = await fuzzRequests(3000, 1);
  // The cases reach code behind authentication, and every kind of refusal.
  expect(statuses['200']).toBeGreaterThan(300);
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['400', '403', '404', '413', '431']));
  expect(Object.keys(kinds).length).toBeGreaterThan(10);
});
