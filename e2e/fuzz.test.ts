import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';

// `npm run fuzz` does a hundred thousand.
test('mutated manifests: no crash, no hang, memory bounded, every rejection placed', async () => {
  const { rejected, codes } = await fuzz(1500, 1);
  expect(rejected).toBeGreaterThan(1000);
  // The mutations reach every layer: YAML, shape, rules.
  expect(Object.keys(codes).length).toBeGreaterThan(20);
});
