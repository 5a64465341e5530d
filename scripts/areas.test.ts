import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { areas } from './areas.ts';

const root = join(import.meta.dirname, '..');

test('every test that needs root belongs to exactly one area', () => {
  const present = globSync('{e2e,packages/*/src}/**/*.host.test.ts', { cwd: root }).toSorted();
  expect(
    Object.values(areas)
      .flatMap(({ files }) => [...files])
      .toSorted(),
  ).toEqual(present);
});
