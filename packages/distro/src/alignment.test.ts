import { expect, test } from 'vitest';
import { isOlder, misaligned, requirements } from './alignment.ts';
import { readComponents } from './component.ts';

test('components of one graph pin the same version of every module that they share', async () => {
  const found = await misaligned(await readComponents());
  // `node scripts/align-components.ts` raises them.
  expect(found.map(({ module, components }) => `${module}: ${components.map(({ name }) => name).join(', ')}`)).toEqual(
    [],
  );
});

test('the requirements of a go.mod are read, replacements are not', () => {
  const goMod = [
    'module a',
    'require example.org/one v1.2.3',
    'require (',
    '\texample.org/two v0.1.0 // indirect',
    ')',
    'replace example.org/three => example.org/fork v4.5.6',
    'replace (',
    '\texample.org/four => example.org/five v7.8.9',
    ')',
  ].join('\n');
  expect([...requirements(goMod)]).toEqual([
    ['example.org/one', 'v1.2.3'],
    ['example.org/two', 'v0.1.0'],
  ]);
});

test.each([
  ['v1.9.0', 'v1.10.0'],
  ['v1.2.3-rc.1', 'v1.2.3'],
  ['v1.2.3-rc.2', 'v1.2.3-rc.10'],
  ['v0.0.0-20250318190949-c8a335a9a2ff', 'v0.0.0-20260317180543-43fb72c5454a'],
  ['v29.4.3+incompatible', 'v29.7.2+incompatible'],
  ['v1.36.11', 'v1.36.12-0.20260120151049-f2248ac996af'],
])('%s is older than %s', (one, other) => {
  expect([isOlder(one, other), isOlder(other, one), isOlder(one, one)]).toEqual([true, false, false]);
});
