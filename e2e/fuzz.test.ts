import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';

// `npm run fuzz` runs a hundred thousand cases.
test('mutated manifests cause no crash or hang, memory stays bounded, and every rejection has a place', async () => {
  const { rejected, codes } = await fuzz(1500, 1);
  expect(rejected).toBeGreaterThan(1000);
  // The mutations reach every layer: YAML, shape, rules.
  expect(Object.keys(codes).length).toBeGreaterThan(20);
});
