import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { versionOf } from '../version.ts';
import { digestOf, recipeOf, recipes, stack } from './recipes.ts';

test('every recipe is based on an existing one', () => {
  for (const recipe of recipes) expect(recipe.on === undefined || recipeOf(recipe.on)).toBeTruthy();
});

test('a digest depends on the recipe and on all recipes below', () => {
  const node = recipeOf('node');
  if (!node) throw new Error('no recipe');
  expect(digestOf(node)).toBe(digestOf(structuredClone(node)));
  expect(digestOf({ ...node, packages: [...node.packages, 'more'] })).not.toBe(digestOf(node));
  expect(stack(node).map(({ name }) => name)).toEqual(['base', 'node']);
});

test('a digest includes folders of the host: names, modes and contents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nova-tree-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const recipe = { name: 'x', packages: [], files: [], trees: [{ from: () => join(folder, 'tree'), to: '/opt/x' }] };
  const path = (name: string) => join(folder, 'tree', name);
  const changes = [
    () => undefined,
    () => mkdirSync(path('deep'), { recursive: true }) && writeFileSync(path('deep/a'), 'one', { mode: 0o644 }),
    () => writeFileSync(path('deep/a'), 'two'),
    () => chmodSync(path('deep/a'), 0o755),
    () => renameSync(path('deep/a'), path('b')),
  ];
  const digests = changes.map((change) => {
    change();
    expect(digestOf(recipe)).toBe(digestOf(recipe));
    return digestOf(recipe);
  });
  expect(new Set(digests).size).toBe(changes.length);
  // The version of a bundled program is computed in the same way.
  const version = versionOf(path('b'));
  expect(version).toMatch(/^[0-9a-f]{16}$/);
  writeFileSync(path('b'), 'three');
  expect(versionOf(path('b'))).not.toBe(version);
  expect(versionOf(path('main.ts'))).toBe('sources');
});

test('the digest includes the version of Node', () => {
  const base = recipeOf('universe-base');
  if (!base) throw new Error('no recipe');
  const other = base.programs?.map((program) => ({ ...program, version: 'v0.0.0' })) ?? [];
  expect(digestOf({ ...base, programs: other })).not.toBe(digestOf(base));
});
