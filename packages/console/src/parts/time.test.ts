import { expect, test } from 'vitest';
import { wordsOf } from '../language.tsx';
import { soFar } from './time.tsx';

const { duration, relative } = wordsOf('en', () => undefined);

test.each([
  [2_000, '2 s', '2 seconds ago'],
  [19_499, '19 s', '19 seconds ago'],
  [19_999, '19 s', '19 seconds ago'],
])('what began %d ms ago has run as long as its start is ago', (milliseconds, running, started) => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  const from = new Date(now - milliseconds).toISOString();
  expect(duration(soFar(from, now)).replace(/\s/g, ' ')).toBe(running);
  expect(relative(from, now)).toBe(started);
});

test('a start in the future, by a clock that is ahead, counts as one second', () => {
  expect(soFar('2026-11-15T12:00:05Z', Date.parse('2026-11-15T12:00:00Z'))).toBe(1000);
});
