import { decode, ExtData, ExtensionCodec, encode } from '@msgpack/msgpack';

/** The value that is known only after the apply; no other symbol is a value. */
export const unknown: symbol = Symbol('unknown');

/** A value of OpenTofu. Numbers that a double cannot hold are bigints. */
export type Value = null | boolean | number | bigint | string | symbol | readonly Value[] | Fields;

export interface Fields {
  readonly [name: string]: Value;
}

/** A type, as the protocol writes it in JSON. */
export type Type =
  | 'string'
  | 'number'
  | 'bool'
  | readonly ['list' | 'set' | 'map', Type]
  | readonly ['object', { readonly [name: string]: Type }];

// An unknown value, and one about which something is known, for example that it is not null.
const unknownExtension = 0;
const refinedExtension = 12;

const extensions = new ExtensionCodec();
for (const type of [unknownExtension, refinedExtension])
  extensions.register({ type, encode: () => null, decode: () => unknown });

/** Reads a value in MessagePack. */
export function readValue(type: Type, bytes: Uint8Array): Value {
  return typed(type, decode(bytes, { extensionCodec: extensions, useBigInt64: true }));
}

/** Reads a value in JSON, as states are stored. */
export function readJson(type: Type, bytes: Uint8Array): Value {
  return typed(type, JSON.parse(new TextDecoder().decode(bytes)));
}

export function writeValue(type: Type, value: Value): Uint8Array {
  return encode(untyped(type, value));
}

function typed(type: Type, raw: unknown): Value {
  if (raw === null || raw === undefined) return null;
  if (raw === unknown) return unknown;
  if (type === 'number') return numberOf(raw as number | bigint | string);
  if (typeof type === 'string') return raw as string | boolean;
  if (type[0] === 'object')
    return Object.fromEntries(
      Object.entries(type[1]).map(([name, each]) => [name, typed(each, (raw as Record<string, unknown>)[name])]),
    );
  const [kind, item] = type;
  if (kind !== 'map') return (raw as unknown[]).map((each) => typed(item, each));
  return Object.fromEntries(Object.entries(raw).map(([name, each]) => [name, typed(item, each)]));
}

function untyped(type: Type, value: Value | undefined): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'symbol') return new ExtData(unknownExtension, Uint8Array.of(0));
  if (typeof value === 'bigint') return String(value);
  if (typeof type === 'string') return value;
  if (type[0] === 'object')
    return Object.fromEntries(
      Object.entries(type[1]).map(([name, each]) => [name, untyped(each, (value as Fields)[name])]),
    );
  const [kind, item] = type;
  if (kind !== 'map') return (value as readonly Value[]).map((each) => untyped(item, each));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, untyped(item, each)]));
}

/** OpenTofu writes numbers as integers or doubles, and as text what fits neither. */
function numberOf(raw: number | bigint | string): number | bigint {
  if (typeof raw === 'number') return raw;
  if (typeof raw === 'string' && !/^-?\d+$/.test(raw)) return Number(raw);
  const whole = BigInt(raw);
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

export function isFields(value: Value | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An unknown value differs from every known one. */
export function isEqual(one: Value | undefined, other: Value | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((each, index) => isEqual(each, other[index]));
  if (isFields(one) && isFields(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].every((name) => isEqual(one[name] ?? null, other[name] ?? null));
  }
  return one === other;
}

/** The value with null in place of everything unknown: what a state can hold. */
export function settled(value: Value): Value {
  if (typeof value === 'symbol') return null;
  if (isList(value)) return value.map(settled);
  if (isFields(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, settled(each)]));
  return value;
}
