import { formats } from './formats.ts';

/** IPv4 addresses as unsigned integers, networks as ranges of them. */
export interface Range {
  first: number;
  last: number;
}

export interface Network extends Range {
  prefix: number;
}

const addressPattern = new RegExp(formats.address.pattern);

export function isAddress(text: string): boolean {
  return addressPattern.test(text);
}

export function parseAddress(text: string): number {
  return text.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

export function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}

export function parseNetwork(text: string): Network {
  const [address = '', bits = '32'] = text.split('/');
  const prefix = Number(bits);
  const size = 2 ** (32 - prefix);
  const first = Math.floor(parseAddress(address) / size) * size;
  return { first, last: first + size - 1, prefix };
}

export function formatNetwork(network: Network): string {
  return `${formatAddress(network.first)}/${network.prefix}`;
}

/** `a.b.c.d` or `a.b.c.d-e.f.g.h`. */
export function parseRange(text: string): Range {
  const [first = '', last = first] = text.split('-');
  return { first: parseAddress(first), last: parseAddress(last) };
}

export function overlaps(a: Range, b: Range): boolean {
  return a.first <= b.last && b.first <= a.last;
}

export function contains(outer: Range, inner: Range): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}
