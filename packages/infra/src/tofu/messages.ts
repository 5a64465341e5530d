import { z } from 'zod';

/** A line of `tofu -json`, as far as it is used. */
const line = z.object({
  '@message': z.string().default(''),
  type: z.string().default(''),
  diagnostic: z.object({ severity: z.string(), summary: z.string(), detail: z.string().default('') }).optional(),
});

/** Lines that show the progress of an apply. */
const progress: ReadonlySet<string> = new Set([
  'apply_start',
  'apply_progress',
  'apply_complete',
  'apply_errored',
  'change_summary',
]);

interface Message {
  /** For the log of the operation. */
  progress?: string;
  error?: string;
}

export function messageOf(text: string): Message {
  const parsed = line.safeParse(jsonOf(text));
  if (!parsed.success) return {};
  const { type, diagnostic, '@message': message } = parsed.data;
  if (diagnostic) {
    const said = [diagnostic.summary, diagnostic.detail].filter((each) => each !== '').join(': ');
    return diagnostic.severity === 'error' ? { error: said } : { progress: said };
  }
  return progress.has(type) ? { progress: message } : {};
}

const change = z.object({
  actions: z.array(z.string()),
  before: z.unknown(),
  after: z.unknown(),
  // biome-ignore-start lint/style/useNamingConvention: the names of OpenTofu
  after_unknown: z.unknown(),
  before_sensitive: z.unknown(),
  after_sensitive: z.unknown(),
  // biome-ignore-end lint/style/useNamingConvention: the names of OpenTofu
});
const resource = z.object({ address: z.string(), change });
const shownPlan = z.object({
  // biome-ignore-start lint/style/useNamingConvention: the names of OpenTofu
  resource_changes: z.array(resource).default([]),
  // biome-ignore-end lint/style/useNamingConvention: the names of OpenTofu
});

/** What a plan of OpenTofu does to one resource. */
export interface ResourceChange {
  address: string;
  action: 'create' | 'change' | 'replace' | 'remove';
  /** Attributes that change, without the values of secrets. */
  fields: { name: string; before?: unknown; after?: unknown }[];
}

/** The changes of `tofu show -json PLAN`. */
export function changesIn(text: string): ResourceChange[] {
  return shownPlan.parse(JSON.parse(text)).resource_changes.flatMap(({ address, change: found }) => {
    const action = actionOf(found.actions);
    return action ? [{ address, action, fields: action === 'remove' ? [] : fieldsOf(found) }] : [];
  });
}

function actionOf(actions: readonly string[]): ResourceChange['action'] | undefined {
  const [isCreated, isRemoved] = [actions.includes('create'), actions.includes('delete')];
  if (isCreated && isRemoved) return 'replace';
  if (isCreated) return 'create';
  if (isRemoved) return 'remove';
  return actions.includes('update') ? 'change' : undefined;
}

function fieldsOf(found: z.output<typeof change>): ResourceChange['fields'] {
  const [before, after, unknown] = [found.before, found.after, found.after_unknown].map(attributesOf);
  const hidden = new Set([found.before_sensitive, found.after_sensitive].flatMap((each) => sensitiveIn(each)));
  const names = new Set([before, after].flatMap((each) => Object.keys(each ?? {})));
  return [...names].toSorted().flatMap((name) => {
    const [was, is] = [before?.[name] ?? undefined, after?.[name] ?? undefined];
    if (unknown?.[name] === true || JSON.stringify(was) === JSON.stringify(is)) return [];
    if (hidden.has(name)) return [{ name }];
    return [{ name, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
}

function attributesOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Attributes that are secret, wholly or in a part. */
function sensitiveIn(value: unknown): string[] {
  return Object.entries(attributesOf(value))
    .filter(([, mark]) => JSON.stringify(mark).includes('true'))
    .map(([name]) => name);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
