import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  contains,
  formatAddress,
  formatNetwork,
  isAddress,
  overlaps,
  parseAddress,
  parseNetwork,
  parseRange,
  type Range,
} from './ipv4.ts';

const address = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const network = fc.record({ address, prefix: fc.integer({ min: 0, max: 32 }) });
// Few addresses, so that they can be enumerated and often coincide.
const edge = fc.integer({ min: 0, max: 9 });
const range = fc.tuple(edge, edge).map(([a, b]): Range => ({ first: Math.min(a, b), last: Math.max(a, b) }));

const members = ({ first, last }: Range) =>
  new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));

test('a formatted address is parsed to the same address', () => {
  fc.assert(fc.property(address, (at) => parseAddress(formatAddress(at)) === at));
  expect(['0.0.0.0', '10.0.0.1', '255.255.255.255'].map(parseAddress)).toEqual([0, 167772161, 4294967295]);
});

test('a formatted network is parsed to the same network', () => {
  fc.assert(
    fc.property(network, ({ address: at, prefix }) => {
      const parsed = parseNetwork(`${formatAddress(at)}/${prefix}`);
      expect(parseNetwork(formatNetwork(parsed))).toEqual(parsed);
    }),
  );
});

test('a network contains its address, and its prefix sets its size', () => {
  fc.assert(
    fc.property(network, ({ address: at, prefix }) => {
      const parsed = parseNetwork(`${formatAddress(at)}/${prefix}`);
      expect(contains(parsed, { first: at, last: at })).toBe(true);
      expect(parsed.last - parsed.first + 1).toBe(2 ** (32 - prefix));
    }),
  );
});

test('ranges overlap if and only if they share an address, in either order', () => {
  fc.assert(
    fc.property(range, range, (a, b) => {
      expect(overlaps(a, b)).toBe(!members(a).isDisjointFrom(members(b)));
      expect(overlaps(b, a)).toBe(overlaps(a, b));
    }),
  );
});

test('a range contains another if and only if it has all its addresses', () => {
  fc.assert(fc.property(range, range, (a, b) => contains(a, b) === members(b).isSubsetOf(members(a))));
});

test('a range is parsed from one or two addresses', () => {
  expect(parseRange('10.0.0.1-10.0.0.3')).toEqual({ first: 167772161, last: 167772163 });
  expect(parseRange('10.0.0.1')).toEqual({ first: 167772161, last: 167772161 });
});

test('only addresses are recognized as addresses', () => {
  fc.assert(fc.property(address, (at) => isAddress(formatAddress(at))));
  expect(['1.2.3', '1.2.3.4.5', '1.2.3.256', 'a.b.c.d', '1.2.3.4/32', ''].filter(isAddress)).toEqual([]);
});
