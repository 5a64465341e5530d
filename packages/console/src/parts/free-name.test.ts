import { expect, test } from 'vitest';
import { freeName } from './free-name.ts';

test('a proposed name has the first number that is not taken', () => {
  expect(freeName('vm', [])).toBe('vm-1');
  expect(freeName('vm', ['vm-1', 'vm-3', 'web'])).toBe('vm-2');
});
