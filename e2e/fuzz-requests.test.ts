import { expect, test } from 'vitest';
import { fuzzRequests } from './fuzz-requests.ts';

// `npm run fuzz:requests` does a hundred thousand.
test('mutated requests: no crash, no failure, no hang, memory bounded, nothing kept of what is refused', async () => {
  const { statuses, kinds } = await fuzzRequests(3000, 1);
  // They reach what is behind authentication, and every reason to refuse.
  expect(statuses['200']).toBeGreaterThan(300);
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['400', '403', '404', '413', '431']));
  expect(Object.keys(kinds).length).toBeGreaterThan(10);
});
