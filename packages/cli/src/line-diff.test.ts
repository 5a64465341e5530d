import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './line-diff.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
  .map((lines) => lines.map((each) => `${each}\n`).join(''));
const linesOf = (value: string) => value.split('\n').slice(0, -1);

test('the diff shows only changed lines, in order', () => {
  const before = 'one\ntwo\nthree\nfour\n';
  const after = 'one\n2\nthree\nfour\nfive\n';
  expect(diffLines(before, after).map(({ sign, line }) => `${sign}${line}`)).toEqual(['-two', '+2', '+five']);
});

test('the lines left out of the diff are equal on both sides', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changes = diffLines(before, after);
      const rest = (value: string, sign: string) => {
        const left = linesOf(value);
        const counts = changes.filter((each) => each.sign === sign).map(({ line }) => line);
        for (const line of counts) {
          expect(left).toContain(line);
          left.splice(left.indexOf(line), 1);
        }
        return left.toSorted();
      };
      expect(rest(before, '-')).toEqual(rest(after, '+'));
      if (before === after) expect(changes).toEqual([]);
    }),
  );
});

test('a diff of large texts finishes in time', () => {
  const large = (start: number) => Array.from({ length: 20_000 }, (_, index) => `${start + index}`).join('\n');
  expect(diffLines(large(0), large(100_000))).toHaveLength(40_000);
  expect(diffLines(`${large(0)}\nx\n`, `${large(0)}\ny\n`)).toHaveLength(2);
});
