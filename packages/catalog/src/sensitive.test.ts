import { format, inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Sensitive, sensitive } from './sensitive.ts';

const password = 'hunter2';
const secret = sensitive(password);

test('only reveal() returns a secret', () => {
  expect(secret).toBeInstanceOf(Sensitive);
  expect(secret.reveal()).toBe(password);
});

test.for<[string, (value: unknown) => string]>([
  ['JSON', (value) => JSON.stringify({ value, list: [value] })],
  ['a template', (value) => `${value as string}`],
  ['joined text', (value) => [value, 'x'].join(' ')],
  ['String', String],
  ['an inspection', (value) => inspect({ value }, { depth: null, showHidden: true, getters: true })],
  ['an inspection without custom inspectors', (value) => inspect(value, { customInspect: false, showHidden: true })],
  ['a log line', (value) => format('%s %o %O %j %d', value, value, value, value, value)],
  ['its properties', (value) => Object.values(Object(value) as object).join('')],
  ['an error', (value) => String(new Error(`cannot use ${value as string}`, { cause: value }).stack)],
])('a secret does not appear in %s', ([, show]) => {
  expect(show(password)).toContain(password);
  expect(show(secret)).not.toContain(password);
});

test('a placeholder appears in place of a secret', () => {
  expect(JSON.stringify([secret])).toBe('["[sensitive]"]');
  expect(String(secret)).toBe('[sensitive]');
});
