import { ProblemError } from '@nova-platform/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lifetime, limitOf, numberOf } from './values.ts';

const units = { s: 1, m: 60, h: 3600, d: 24 * 3600 };
const longestDays = 3650;
const longest = longestDays * units.d;

test('a duration is its amount times its unit, up to the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9_999_999 }), fc.constantFrom('s', 'm', 'h', 'd'), (amount, unit) => {
      const seconds = amount * units[unit];
      const text = `${amount}${unit}`;
      if (seconds <= longest) expect(lifetime('--ttl', text, longestDays)).toBe(seconds);
      else expect(() => lifetime('--ttl', text, longestDays)).toThrow(ProblemError);
    }),
  );
});

test('an invalid duration is rejected with a problem', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: fc.constantFrom('1', '0', '9', 'm', 'h', 'd', 's', 'w', '.', '-', '+', ' ', 'e') }),
      ),
      (text) => {
        if (/^[1-9]\d{0,6}[smhd]$/.test(text)) return;
        expect(() => lifetime('--ttl', text, longestDays)).toThrow(/NOVA2009/);
      },
    ),
  );
});

test('limits and operation numbers accept only valid integers', () => {
  expect(limitOf('500')).toBe(500);
  expect(numberOf('17')).toBe(17);
  for (const text of ['0', '501', '1e2', ' 5', '', '-1', '１']) expect(() => limitOf(text)).toThrow(ProblemError);
  for (const text of ['0', '01', '1.5', 'last', '', '9'.repeat(16)]) expect(() => numberOf(text)).toThrow(ProblemError);
});
