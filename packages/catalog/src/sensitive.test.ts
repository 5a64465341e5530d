import { format, inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Sensitive, sensitive } from './sensitive.ts';

const password = 'hunter2';
const secret = sensitive(password);

test('a secret is given only to who asks for it by name', () => {
  expect(secret).toBeInstanceOf(Sensitive);
  expect(secret.reveal()).toBe(password);
});

test.for<[string, (value: unknown) => string]>([
  ['JSON', (value) => JSON.stringify({ value, list: [value] })],
  ['a template', (value) => `${value as string}`],
  ['joined text', (value) => [value, 'x'].join(' ')],
  ['String', String],
  ['an inspection', (value) => inspect({ value }, { depth: null, showHidden: true, getters: true })],
  ['an inspection of what looks after itself', (value) => inspect(value, { customInspect: false, showHidden: true })],
  ['a log line', (value) => format('%s %o %O %j %d', value, value, value, value, value)],
  ['its properties', (value) => Object.values(Object(value) as object).join('')],
  ['an error', (value) => String(new Error(`cannot use ${value as string}`, { cause: value }).stack)],
])('a secret does not show in %s', ([, show]) => {
  expect(show(password)).toContain(password);
  expect(show(secret)).not.toContain(password);
});

test('where it would stand, a secret says that it is one', () => {
  expect(JSON.stringify([secret])).toBe('["[sensitive]"]');
  expect(String(secret)).toBe('[sensitive]');
});
