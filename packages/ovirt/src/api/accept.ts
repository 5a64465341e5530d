import { type Problem, ProblemError, problem } from '@nova-platform/api';
import { expectedBy } from '@nova-platform/http';
import { z } from 'zod';
import type { Received } from '../xml.ts';
import type { Body } from './resource.ts';

const mebibyte = 1024 ** 2;

export const text = (max = 255) => z.string().max(max);
export const integer = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'a whole number' })
  .transform(Number);
export const flag = z
  .string()
  .regex(/^(true|false|0|1)$/i, { error: 'true or false' })
  .transform((value) => /^(true|1)$/i.test(value));
/** Bytes of a request; the engine counts in MiB. */
export const bytes = integer.transform((value, context) => {
  if (value % mebibyte !== 0) context.addIssue({ code: 'custom', message: 'MiB' });
  return value;
});
/** Another object, by its ID or name. */
export const named = group({ id: text().optional(), name: text().optional() });

export type Named = z.output<typeof named>;

/** An element with children; an empty one has none of them. */
export function group<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => (value === '' ? {} : value), z.strictObject(shape));
}

/** `<disks><disk/><disk/></disks>` */
export function listOf<Item extends z.ZodType>(element: string, item: Item) {
  return z.preprocess((value) => {
    if (value === '' || value === undefined) return [];
    if (typeof value !== 'object' || value === null || !(element in value)) return value;
    const items = (value as Record<string, unknown>)[element];
    return Array.isArray(items) ? items : [items];
  }, z.array(item).max(64));
}

export interface Accepted<Shape extends z.ZodRawShape> {
  fields: Shape;
  /** Fields that can have only one value, by path. Clients send them, or send back what they have read. */
  fixed?: Readonly<Record<string, string>>;
  /** What clients send back without effect. */
  readOnly?: readonly string[];
}

/** The fields of a request. Everything that would not have its effect is refused by name. */
export function accept<Shape extends z.ZodRawShape>(
  name: string,
  body: Received,
  { fields, fixed = {}, readOnly = [] }: Accepted<Shape>,
) {
  const ignored: ReadonlySet<string> = new Set(readOnly);
  const problems: Problem[] = [];
  const rest = (value: Received | Received[], path: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => rest(each, path));
    if (typeof value === 'string') return value;
    const kept: [string, unknown][] = [];
    for (const [key, child] of Object.entries(value)) {
      const own = path === '' ? key : `${path}.${key}`;
      if (key === 'href' || key === 'link' || key === 'actions' || ignored.has(own)) continue;
      if (!Object.hasOwn(fixed, own)) {
        const inner = rest(child, own);
        const isUsedUp = typeof inner === 'object' && Object.keys(inner as object).length === 0 && child !== '';
        if (!isUsedUp) kept.push([key, inner]);
      } else if (typeof child !== 'string' || child.toLowerCase() !== fixed[own])
        problems.push(problem('NOVA7601', { field: `${name}.${own}`, value: fixed[own] ?? '' }));
    }
    return Object.fromEntries(kept);
  };
  const result = z.strictObject(fields).safeParse(rest(body, ''));
  if (!result.success) problems.push(...result.error.issues.flatMap((issue) => problemsOf(name, issue)));
  if (problems.length > 0 || !result.success) throw new ProblemError(...problems.slice(0, 10));
  return result.data;
}

function problemsOf(name: string, issue: z.core.$ZodIssue): Problem[] {
  const field = [name, ...issue.path].join('.').slice(0, 200);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, 10).map((key) => problem('NOVA7600', { field: `${field}.${key.slice(0, 100)}` }));
  if (issue.code === 'invalid_type' && issue.input === undefined && /received undefined/.test(issue.message))
    return [problem('NOVA7602', { field })];
  if (issue.message === 'MiB') return [problem('NOVA7619', { field })];
  return [problem('NOVA7026', { field, expected: expectedBy(issue.message) })];
}

/** The object itself, which clients of JSON and XML send in the same form. */
export function bodyOf(received: Received): Body {
  return typeof received === 'string' ? {} : received;
}
