import { formats } from './formats.ts';

const quantity = new RegExp(formats.quantity.pattern);

/** Base 10 or 2, and the exponent. */
const suffixes: Record<string, [base: bigint, power: bigint]> = {
  m: [10n, -3n],
  k: [10n, 3n],
  M: [10n, 6n],
  G: [10n, 9n],
  T: [10n, 12n],
  P: [10n, 15n],
  E: [10n, 18n],
  Ki: [2n, 10n],
  Mi: [2n, 20n],
  Gi: [2n, 30n],
  Ti: [2n, 40n],
  Pi: [2n, 50n],
  Ei: [2n, 60n],
};

/** A Kubernetes quantity in bytes, rounded up as in Kubernetes. */
export function bytesOf(text: string): number {
  const [, whole = '', fraction = '', suffix = ''] = quantity.exec(text) ?? [];
  if (whole === '') throw new RangeError(`${text} is not a quantity`);
  const [base, power] = suffixes[suffix] ?? [10n, BigInt(suffix.slice(1))];
  // Integer arithmetic: 1.1M must not become 1100000.0000000001.
  const [multiplier, divisor] = power < 0n ? [1n, base ** -power] : [base ** power, 1n];
  const amount = BigInt(whole + fraction) * multiplier;
  const parts = divisor * 10n ** BigInt(fraction.length);
  return Number((amount + parts - 1n) / parts);
}

/** A quantity in mebibytes, the unit of machine sizes. */
export function mebibytesOf(text: string): number {
  return Math.ceil(bytesOf(text) / 1024 ** 2);
}
