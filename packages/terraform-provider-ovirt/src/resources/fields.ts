import { createHash } from 'node:crypto';
import type { Shown } from '@nova-platform/ovirt/xml';
import { DiagnosticError } from '../protocol/diagnostics.ts';
import type { Attribute, Check } from '../protocol/schema.ts';
import { type Fields, isList, type Value } from '../protocol/values.ts';

export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts of a list or a set. */
export function textsIn(value: Value | undefined): string[] {
  return isList(value) ? value.filter((each) => typeof each === 'string') : [];
}

export function numberIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
}

export function flagIn(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  return typeof value === 'boolean' ? value : undefined;
}

/** A text that the schema requires. */
export function requiredIn(fields: Fields, name: string): string {
  const value = textIn(fields, name);
  if (value !== undefined) return value;
  throw new DiagnosticError(`${name} has no value`, `Give ${name} a value that is known when OpenTofu applies.`, [
    name,
  ]);
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid: Check = (value) =>
  uuidPattern.test(String(value)) ? undefined : `is "${value}", but an ID of oVirt is a UUID`;
export const isFilled: Check = (value) => (value === '' ? 'is empty' : undefined);
export const isPositive: Check = (value) =>
  Number.isInteger(Number(value)) && Number(value) > 0 ? undefined : `is ${value}, but must be a whole number above 0`;
export const oneOf =
  (...values: readonly (string | number)[]): Check =>
  (value) =>
    values.includes(value) ? undefined : `is "${value}", but must be one of: ${values.join(', ')}`;

export const id: Attribute = { type: 'string', mode: 'computed', description: 'oVirt ID.' };

/** A reference to another object, by its ID. */
export const reference = (description: string): Attribute => ({
  type: 'string',
  mode: 'required',
  replaces: true,
  check: isUuid,
  description,
});

/** A setting that the engine has a default for, and does not report. */
export const unreadable = (type: 'string' | 'number' | 'bool', description: string, check?: Check): Attribute => ({
  type,
  mode: 'optional',
  replaces: 'unreadable',
  description,
  ...(check && { check }),
});

/** The IDs in `VM/NIC`, the form in which stock imports have them. */
export function idsIn(text: string, ...names: readonly string[]): Fields {
  const ids = text.split('/');
  if (ids.length === names.length && ids.every((each) => uuidPattern.test(each)))
    return Object.fromEntries(names.map((name, index) => [name, ids[index] ?? '']));
  throw new DiagnosticError(
    'The ID to import is not valid',
    `"${text}" must have the form ${names.join('/')}, each a UUID.`,
  );
}

/**
 * A description that an object is created with. It follows from what the object is created from, so that the apply after
 * a killed one finds what that one has created.
 */
export function markOf(body: Shown): string {
  return `Created by OpenTofu (${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16)})`;
}

export function isMarked(description: string | undefined): boolean {
  return /^Created by OpenTofu \([0-9a-f]{16}\)$/.test(description ?? '');
}

/** Objects of this process: none of them is the remainder of a killed apply. */
const claimed = new Set<string>();

export function isClaimed(id: string): boolean {
  return claimed.has(id);
}

export function claim(id: string): string {
  claimed.add(id);
  return id;
}

/** Without fields that have no value. */
export function given(fields: Record<string, Shown | undefined>): Shown {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
