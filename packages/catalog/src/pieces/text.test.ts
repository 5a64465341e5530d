import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { yaml } from './text.ts';

test('settings are written as YAML, with and without the cache', () => {
  const settings = fc.record({ name: fc.string(), list: fc.array(fc.oneof(fc.string(), fc.integer())) });
  fc.assert(
    fc.property(fc.array(settings, { maxLength: 150 }), (all) => {
      for (const each of [...all, ...all]) expect(yaml(each)).toBe(stringify(each));
    }),
    { numRuns: 20 },
  );
});
