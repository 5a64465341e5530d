import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formats, string } from './formats.ts';
import { bytesOf, mebibytesOf } from './quantity.ts';

const decimal = { k: 1, M: 2, G: 3, T: 4, P: 5, E: 6 };
const binary = { Ki: 1, Mi: 2, Gi: 3, Ti: 4, Pi: 5, Ei: 6 };

test.each([
  ['0', 0],
  ['17179869184', 17179869184],
  ['100m', 1],
  ['1500m', 2],
  ['2000m', 2],
  ['16384256Ki', 16384256 * 1024],
  ['512Mi', 512 * 1024 ** 2],
  ['1.5Gi', 1.5 * 1024 ** 3],
  ['1Ti', 1024 ** 4],
  ['2Pi', 2 * 1024 ** 5],
  ['1Ei', 1024 ** 6],
  ['3k', 3000],
  ['1.1M', 1_100_000],
  ['8G', 8e9],
  ['1E', 1e18],
  ['1e3', 1000],
  ['1E3', 1000],
  ['12e-1', 2],
  ['1.5e+3', 1500],
])('the quantity %s is %d bytes', (text, bytes) => {
  expect(bytesOf(text)).toBe(bytes);
});

test('each suffix is 1000 or 1024 times the previous one', () => {
  fc.assert(
    fc.property(fc.nat({ max: 999_999 }), (amount) => {
      for (const [suffix, power] of Object.entries(decimal))
        expect(bytesOf(`${amount}${suffix}`)).toBe(Number(BigInt(amount) * 1000n ** BigInt(power)));
      for (const [suffix, power] of Object.entries(binary))
        expect(bytesOf(`${amount}${suffix}`)).toBe(amount * 1024 ** power);
    }),
  );
});

test('a decimal equals the integer with a smaller suffix', () => {
  fc.assert(
    fc.property(fc.nat({ max: 999_999 }), fc.nat({ max: 999 }), (whole, thousandths) => {
      const text = `${whole}.${String(thousandths).padStart(3, '0')}`;
      expect(bytesOf(`${text}G`)).toBe(bytesOf(`${whole * 1000 + thousandths}M`));
      expect(bytesOf(`${text}e9`)).toBe(bytesOf(`${text}G`));
    }),
  );
});

const accepted = fc.stringMatching(new RegExp(formats.quantity.pattern)).filter((text) => text.length <= 32);

test('every quantity that documents can contain is an integer number of bytes', () => {
  fc.assert(
    fc.property(accepted, (text) => {
      expect(string('quantity').safeParse(text).success).toBe(true);
      expect(Number.isInteger(bytesOf(text))).toBe(true);
      expect(mebibytesOf(text) * 1024 ** 2).toBeGreaterThanOrEqual(bytesOf(text));
    }),
  );
});

test('mebibytes are rounded up', () => {
  expect(['1', '1Mi', '1.5Mi', '1Gi', '1Ti', '1G'].map(mebibytesOf)).toEqual([1, 1, 2, 1024, 1024 ** 2, 954]);
});

test.each(['', 'Gi', '8GB', '-1Gi', '1,5Gi', '8 Gi', '1e', '1mi', '1K'])('the quantity %j is refused', (text) => {
  expect(() => bytesOf(text)).toThrow(RangeError);
});
