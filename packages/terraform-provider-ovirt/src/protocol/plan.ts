import type { Attribute, Block } from './schema.ts';
import { type Fields, isEqual, isFields, isList, unknown, type Value } from './values.ts';

/** What an apply would do to one object. */
export interface Planned {
  state: Fields;
  /** Attributes whose change replaces the object. */
  replacing: string[];
}

export interface PlanRequest {
  block: Block;
  prior: Fields | null;
  proposed: Fields;
  config: Fields;
  /** The prior state was imported: what the engine does not report is missing in it. */
  isImported: boolean;
}

/** Fills in defaults and marks what is known only after the apply. */
export function plan({ block, prior, proposed, config, isImported }: PlanRequest): Planned {
  const state: Record<string, Value> = { ...proposed };
  for (const [name, attribute] of Object.entries(block.attributes))
    state[name] = plannedValue(attribute, {
      proposed: proposed[name],
      configured: config[name],
      isNew: prior === null,
    });
  for (const [name, { block: inner }] of Object.entries(block.blocks ?? {})) state[name] = nested(inner, state[name]);
  if (prior === null) return { state, replacing: [] };

  const names = [...Object.keys(block.attributes), ...Object.keys(block.blocks ?? {})];
  const changed = names.filter((name) => !isEqual(prior[name], state[name]));
  const replacing = changed.filter((name) => {
    const rule = block.attributes[name]?.replaces ?? block.blocks?.[name]?.replaces;
    const before = prior[name] ?? null;
    if (rule === 'unreadable') return !(isImported && (before === null || (isList(before) && before.length === 0)));
    return typeof rule === 'function' ? rule(before, state[name] ?? null) : rule === true;
  });
  if (changed.length > 0)
    for (const [name, { isVolatile }] of Object.entries(block.attributes)) if (isVolatile) state[name] = unknown;
  return { state, replacing };
}

function plannedValue(
  attribute: Attribute,
  { proposed, configured, isNew }: { proposed: Value | undefined; configured: Value | undefined; isNew: boolean },
): Value {
  const { mode, default: initial } = attribute;
  if ((configured ?? null) !== null || mode === 'required' || mode === 'optional') return proposed ?? null;
  if (initial !== undefined) return initial;
  return isNew ? unknown : (proposed ?? null);
}

/** Blocks inside a resource: only their computed values are open. */
function nested(block: Block, value: Value | undefined): Value {
  if (!isList(value)) return value ?? null;
  return value.map((item) => {
    if (!isFields(item)) return item;
    const planned: Record<string, Value> = { ...item };
    for (const [name, { mode }] of Object.entries(block.attributes))
      if (mode === 'computed' && (item[name] ?? null) === null) planned[name] = unknown;
    for (const [name, { block: inner }] of Object.entries(block.blocks ?? {}))
      planned[name] = nested(inner, item[name]);
    return planned;
  });
}

/** The planned state with the values of the engine for what was open. */
export function applied(planned: Fields, observed: Fields): Fields {
  return Object.fromEntries(
    Object.entries(planned).map(([name, value]) => [name, value === unknown ? (observed[name] ?? null) : value]),
  );
}

/** The state with what the engine reports. An empty text and a missing one are the same. */
export function refreshed(state: Fields, observed: Fields): Fields {
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => {
      const seen = observed[name];
      if (seen === undefined || (seen === '' && value === null)) return [name, value];
      return [name, seen];
    }),
  );
}
