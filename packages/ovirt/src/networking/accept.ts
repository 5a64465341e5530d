import { isDeepStrictEqual } from 'node:util';
import { formats, ProblemError, problem, type Text } from '@nova-platform/api';

export type Received = Readonly<Record<string, unknown>>;

/** Attributes that clients may send, and that this API ignores: they change nothing anywhere. */
const ignored = ['tenant_id', 'project_id', 'description', 'tags'];

/** The object that a request describes: `{ "network": { … } }`. */
export function received(body: unknown, kind: string): Received {
  const value = isObject(body) ? body[kind] : undefined;
  if (isObject(value)) return value;
  throw invalid(kind, { en: `a JSON object with ${kind}`, ru: `объект JSON с ${kind}` });
}

/**
 * Refuses attributes that would not take effect: all except the known ones, those whose value is the only possible one,
 * and empty ones.
 */
export function assertPossible(given: Received, known: readonly string[], values: Received = {}): void {
  for (const [field, value] of Object.entries(given)) {
    if (known.includes(field) || ignored.includes(field) || isEmpty(value)) continue;
    if (isDeepStrictEqual(values[field], value)) continue;
    throw new ProblemError(problem('NOVA7675', { field: field.slice(0, 64), expected: reasonFor(values[field]) }));
  }
}

export function text(given: Received, field: string, format: keyof typeof formats): string {
  const value = given[field];
  const { pattern, maxLength, expected } = formats[format];
  if (typeof value === 'string' && value.length <= maxLength && new RegExp(pattern).test(value)) return value;
  throw invalid(field, expected);
}

export function optionalName(given: Received): string | undefined {
  const { name } = given;
  if (name === undefined || name === null || name === '') return undefined;
  if (typeof name === 'string' && name.length <= 255) return name;
  throw invalid('name', { en: 'a text of at most 255 characters', ru: 'текст не длиннее 255 знаков' });
}

export function invalid(field: string, expected: Text): ProblemError {
  return new ProblemError(problem('NOVA7026', { field, expected }));
}

function reasonFor(value: unknown): Text {
  if (value === undefined) return { en: 'this API does not support it', ru: 'этот API его не поддерживает' };
  const shown = JSON.stringify(value);
  return { en: `it is always ${shown}`, ru: `оно всегда ${shown}` };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
