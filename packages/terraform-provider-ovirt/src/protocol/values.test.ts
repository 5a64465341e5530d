import { decode, encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson, readValue, settled, type Type, unknown, type Value, writeValue } from './values.ts';

const name = fc.stringMatching(/^[a-z_]{1,8}$/);

const types: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Type>('string', 'number', 'bool'),
    fc.tuple(fc.constantFrom('list' as const, 'set' as const, 'map' as const), tie('type')),
    fc.tuple(fc.constant('object' as const), fc.dictionary(name, tie('type'), { noNullPrototype: true, maxKeys: 4 })),
  ),
})).type;

/** Any value of a type, with nulls and unknown values at each level. */
function valuesOf(type: Type): fc.Arbitrary<Value> {
  const open = (known: fc.Arbitrary<Value>) =>
    fc.oneof({ weight: 1, arbitrary: fc.constantFrom<Value>(null, unknown) }, { weight: 6, arbitrary: known });
  if (type === 'string') return open(fc.string({ unit: 'grapheme' }));
  if (type === 'bool') return open(fc.boolean());
  if (type === 'number')
    return open(
      fc.oneof(
        fc.maxSafeInteger(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
        fc.bigInt().filter((each) => !Number.isSafeInteger(Number(each))),
      ),
    );
  if (type[0] === 'object')
    return open(
      fc.record(Object.fromEntries(Object.entries(type[1]).map(([key, each]) => [key, valuesOf(each)])), {
        noNullPrototype: true,
      }),
    );
  const [kind, item] = type;
  if (kind === 'map') return open(fc.dictionary(name, valuesOf(item), { noNullPrototype: true, maxKeys: 4 }));
  return open(fc.array(valuesOf(item), { maxLength: 4 }));
}

const typed = types.chain((type) => valuesOf(type).map((value) => ({ type, value })));

describe('values of OpenTofu', () => {
  test('any value is the same after writing and reading', () => {
    fc.assert(
      fc.property(typed, ({ type, value }) => {
        expect(readValue(type, writeValue(type, value))).toEqual(value);
      }),
    );
  });

  test('a settled value has nothing unknown, and changes nothing else', () => {
    fc.assert(
      fc.property(typed, ({ value }) => {
        const result = settled(value);
        expect(JSON.stringify(result, bigints)).toBe(JSON.stringify(value, bigintsAndUnknown));
      }),
    );
  });

  test('an unknown value is the extension that OpenTofu uses', () => {
    expect([...writeValue('string', unknown)]).toEqual([0xd4, 0, 0]);
  });

  test('an unknown value with a refinement is unknown', () => {
    // Extension 12: not null, as OpenTofu writes it.
    expect(readValue('string', Uint8Array.of(0xc7, 3, 12, 0x81, 1, 0xc2))).toBe(unknown);
  });

  test.each([
    ['8589934592', 8_589_934_592],
    ['0.5', 0.5],
    ['-9007199254740993', -9_007_199_254_740_993n],
    ['115792089237316195423570985008687907853269984665640564039457584007913129639936', 2n ** 256n],
  ])('a number written as the text %s is read as a number', (text, expected) => {
    expect(readValue('number', encode(text))).toBe(expected);
  });

  test('a number that no double holds is written as text', () => {
    expect(decode(writeValue('number', 2n ** 70n))).toBe(String(2n ** 70n));
  });

  test('attributes that a stored state lacks are null', () => {
    const type: Type = ['object', { name: 'string', size: 'number' }];
    expect(readJson(type, new TextEncoder().encode('{"name":"a","other":1}'))).toEqual({ name: 'a', size: null });
  });
});

const bigints = (_key: string, each: unknown) => (typeof each === 'bigint' ? String(each) : each);
const bigintsAndUnknown = (key: string, each: unknown) => (each === unknown ? null : bigints(key, each));
