import { ProblemError } from '@nova-platform/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lifetime, limitOf, numberOf, pastTime } from './values.ts';

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

test.each([
  ['12h', '2026-11-15T00:00:00.000Z'],
  ['7d', '2026-11-08T12:00:00.000Z'],
  ['2026-01-31T18:05:00.123Z', '2026-01-31T18:05:00.123Z'],
  ['2026-01-31', new Date(2026, 0, 31).toISOString()],
  ['2026-01-31T18:05', new Date(2026, 0, 31, 18, 5).toISOString()],
  ['2026-01-31 18:05:07', new Date(2026, 0, 31, 18, 5, 7).toISOString()],
])('%s is the time %s', (text, expected) => {
  expect(pastTime('--since', text, new Date('2026-11-15T12:00:00Z')).toISOString()).toBe(expected);
});

test.each(['', '7', '7w', '-7d', '2026', '2026-13-01', '2026-01-31T', '2026-01-31T25:00', 'yesterday'])(
  'the time %j is rejected with a problem',
  (text) => {
    expect(() => pastTime('--since', text, new Date())).toThrow(/NOVA2009/);
  },
);
