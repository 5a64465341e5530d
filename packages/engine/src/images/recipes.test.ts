import { expect, test } from 'vitest';
import { digestOf, recipeOf, recipes, stack } from './recipes.ts';

test('an image stands on images that exist', () => {
  for (const recipe of recipes) expect(recipe.on === undefined || recipeOf(recipe.on)).toBeTruthy();
});

test('a digest follows from the recipe and from everything below it', () => {
  const node = recipeOf('node');
  if (!node) throw new Error('no recipe');
  expect(digestOf(node)).toBe(digestOf(structuredClone(node)));
  expect(digestOf({ ...node, packages: [...node.packages, 'more'] })).not.toBe(digestOf(node));
  expect(stack(node).map(({ name }) => name)).toEqual(['base', 'node']);
});
