import type { ipv4 } from '@nova-platform/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate, type Pool } from './allocate.ts';

function poolOf(...ranges: ipv4.Range[]): Pool {
  return { name: { en: 'numbers', ru: 'числа' }, shown: 'shown', ranges };
}

/** All numbers of the ranges, each once, in the order of the ranges. */
function numbersOf(ranges: readonly ipv4.Range[]): number[] {
  return [
    ...new Set(
      ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index)),
    ),
  ];
}

const number = fc.integer({ min: 0, max: 12 });
const range = fc.tuple(number, fc.nat(4)).map(([first, more]) => ({ first, last: first + more }));
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const five = ['a', 'b', 'c', 'd', 'e'];
const situation = fc.record({
  ranges: fc.array(range, { minLength: 1, maxLength: 4 }),
  consumers: fc.uniqueArray(name),
  held: fc.array(fc.tuple(name, number)).map((entries) => new Map(entries)),
  live: fc.array(number),
});

test('a consumer keeps its number if it is in the pool and not taken', () => {
  fc.assert(
    fc.property(situation, ({ ranges, consumers, held, live }) => {
      const numbers = new Set(numbersOf(ranges));
      const owners = new Map<number, string>();
      for (const consumer of consumers) {
        const mine = held.get(consumer);
        if (mine !== undefined && numbers.has(mine) && !live.includes(mine) && !owners.has(mine))
          owners.set(mine, consumer);
      }
      const { given } = allocate(poolOf(...ranges), consumers, held, live);
      for (const [mine, owner] of owners) expect(given.get(owner)).toBe(mine);
    }),
    { numRuns: 500 },
  );
});

test('new consumers get the first numbers that are not and were not held, in the order of the ranges', () => {
  fc.assert(
    fc.property(situation, ({ ranges, consumers, held, live }) => {
      const { given, problems } = allocate(poolOf(...ranges), consumers, held, live);
      const taken = new Set([...live, ...held.values()]);
      const free = numbersOf(ranges).filter((each) => !taken.has(each));
      const newcomers = consumers.filter(
        (consumer) => !given.has(consumer) || given.get(consumer) !== held.get(consumer),
      );
      expect(newcomers.flatMap((consumer) => given.get(consumer) ?? [])).toEqual(free.slice(0, newcomers.length));
      expect(problems.length).toBe(newcomers.length > free.length ? 1 : 0);
    }),
    { numRuns: 500 },
  );
});

test('no number is shared, and every number is in the pool', () => {
  fc.assert(
    fc.property(situation, ({ ranges, consumers, held, live }) => {
      const given = [...allocate(poolOf(...ranges), consumers, held, live).given.values()];
      expect(new Set(given).size).toBe(given.length);
      expect(numbersOf(ranges)).toEqual(expect.arrayContaining(given));
    }),
    { numRuns: 500 },
  );
});

test('new consumers get the lowest free numbers of a range', () => {
  const { given } = allocate(poolOf({ first: 5, last: 9 }), ['a', 'b', 'c'], new Map([['b', 6]]), [5]);
  expect(Object.fromEntries(given)).toEqual({ a: 7, b: 6, c: 8 });
});

test('the number of a consumer that is being removed is not reused', () => {
  const { given } = allocate(poolOf({ first: 1, last: 9 }), ['new'], new Map([['gone', 1]]));
  expect(given).toEqual(new Map([['new', 2]]));
});

test('overlapping ranges give each number once', () => {
  const pool = poolOf({ first: 1, last: 3 }, { first: 2, last: 4 });
  const { given, problems } = allocate(pool, ['a', 'b', 'c', 'd'], new Map());
  expect([...given.values()]).toEqual([1, 2, 3, 4]);
  expect(problems).toEqual([]);
});

test('an exhausted pool is reported with the first consumer left out and the numbers needed and free', () => {
  const { problems } = allocate(poolOf({ first: 1, last: 2 }, { first: 7, last: 7 }), five, new Map([['e', 2]]));
  expect(problems).toEqual([
    {
      code: 'NOVA5001',
      params: { pool: { en: 'numbers', ru: 'числа' }, range: 'shown', consumer: 'c', needed: 4, free: 2 },
      path: [],
    },
  ]);
});

test('numbers in overlapping ranges are counted once', () => {
  const { problems } = allocate(poolOf({ first: 1, last: 3 }, { first: 2, last: 4 }), five, new Map());
  expect(problems).toMatchObject([{ params: { consumer: 'e', needed: 5, free: 4 } }]);
});

test('numbers from the end are the same as from the start of the reversed ranges', () => {
  fc.assert(
    fc.property(situation, ({ ranges, consumers, held, live }) => {
      const mirrored = (one: number) => -one;
      const reversed = ranges.toReversed().map(({ first, last }) => ({ first: -last, last: -first }));
      const ends = allocate({ ...poolOf(...ranges), isFromEnd: true }, consumers, held, live);
      const starts = allocate(
        poolOf(...reversed),
        consumers,
        new Map([...held].map(([key, one]) => [key, -one])),
        live.map(mirrored),
      );
      expect([...ends.given].map(([key, one]) => [key, -one || 0])).toEqual(
        [...starts.given].map(([key, one]) => [key, one || 0]),
      );
    }),
  );
});
