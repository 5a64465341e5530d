import { expect, test } from 'vitest';
import { fuzzOvirt } from './fuzz-ovirt.ts';

// `npm run fuzz:ovirt` runs a hundred thousand cases.
test('mutated requests to the oVirt-compatible API cause no crash and no internal error: all refusals are faults', async () => {
  const { statuses } = await fuzzOvirt(10_000, 1);
  // The cases reach the code behind the parser, and every common kind of refusal.
  expect(statuses['200']).toBeGreaterThan(1000);
  expect(statuses['201']).toBeGreaterThan(20);
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['400', '401', '403', '404']));
});
