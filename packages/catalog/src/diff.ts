import type { Catalog } from './catalog.ts';
import { type Relation, type Resource, reference, relations, type Value } from './resource.ts';
import { Sensitive } from './sensitive.ts';

export interface ParameterChange {
  parameter: string;
  /** Absent if it was not set before. */
  from?: string;
  /** Absent if it is no longer set. */
  to?: string;
}

/** One effect of replacing a catalog with another. */
export type CatalogChange = { resource: string; piece?: string } & (
  | { kind: 'added' }
  /** Agents ignore resources that are not in their catalog. */
  | { kind: 'no longer managed' }
  | { kind: 'changed'; parameters: ParameterChange[] }
  /** The resource itself is unchanged. It is restarted or run because a resource that it subscribes to changes. */
  | { kind: 'refreshed'; by: string[] }
);

export function diffCatalogs(before: Catalog | undefined, after: Catalog | undefined): CatalogChange[] {
  const old = byReference(before);
  const now = byReference(after);
  const changes: CatalogChange[] = [];
  for (const [name, resource] of now) {
    const was = old.get(name);
    const parameters = was ? changedParameters(was, resource) : [];
    if (!was) changes.push({ ...identity(name, resource), kind: 'added' });
    else if (parameters.length > 0) changes.push({ ...identity(name, resource), kind: 'changed', parameters });
  }
  const gone: CatalogChange[] = [];
  for (const [name, resource] of old)
    if (!now.has(name)) gone.push({ ...identity(name, resource), kind: 'no longer managed' });
  return [...changes, ...refreshes(changes.filter(isActed), now), ...gone];
}

/** Agents act on new resources and on changed parameters. A changed relation alone has no effect. */
function isActed(change: CatalogChange): boolean {
  if (change.kind !== 'changed') return change.kind === 'added';
  return change.parameters.some(({ parameter }) => !relations.includes(parameter as Relation));
}

function byReference(catalog: Catalog | undefined): Map<string, Resource> {
  const resources = new Map<string, Resource>();
  for (const resource of catalog?.resources ?? []) resources.set(reference(resource), resource);
  return resources;
}

function identity(resource: string, { piece }: Resource): { resource: string; piece?: string } {
  return piece === undefined ? { resource } : { resource, piece };
}

function changedParameters(before: Resource, after: Resource): ParameterChange[] {
  // Fast path: most resources of a large cluster do not change.
  if (isSame(before.parameters, after.parameters) && isSame(before.relations, after.relations)) return [];
  const [old, now] = [settingsOf(before), settingsOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.flatMap((parameter) => {
    const [from, to] = [old[parameter], now[parameter]];
    if (isSameValue(from, to)) return [];
    return [
      { parameter, ...(from !== undefined && { from: shown(from) }), ...(to !== undefined && { to: shown(to) }) },
    ];
  });
}

/** To an agent, relations are parameters too. */
function settingsOf({ parameters, relations: related }: Resource): Record<string, Value> {
  return { ...parameters, ...related };
}

type Settings = Readonly<Record<string, Value | undefined>>;

function isSame(one: Settings, other: Settings): boolean {
  for (const name in one) if (!isSameValue(one[name], other[name])) return false;
  for (const name in other) if (!(name in one)) return false;
  return true;
}

function isSameValue(one: Value | undefined, other: Value | undefined): boolean {
  const before = plain(one);
  const after = plain(other);
  if (!(Array.isArray(before) && Array.isArray(after))) return before === after;
  return before.length === after.length && before.every((each, index) => each === after[index]);
}

function plain(value: Value | undefined): unknown {
  return value instanceof Sensitive ? value.reveal() : value;
}

function shown(value: Value): string {
  return typeof value === 'string' ? value : value instanceof Sensitive ? String(value) : JSON.stringify(value);
}

/** Services and commands that subscribe to changed resources, directly or through other resources. */
function refreshes(changes: readonly CatalogChange[], resources: ReadonlyMap<string, Resource>): CatalogChange[] {
  if (changes.length === 0) return [];
  const listeners = new Map<string, Set<string>>();
  const listen = (to: string, who: string) => listeners.set(to, (listeners.get(to) ?? new Set()).add(who));
  for (const [name, { relations: related }] of resources) {
    for (const other of related.subscribe ?? []) listen(other, name);
    for (const other of related.notify ?? []) listen(name, other);
  }
  const causes = new Map<string, string[]>();
  const queue = changes.map(({ resource }) => resource);
  const changed = new Set(queue);
  for (const name of queue) {
    for (const listener of listeners.get(name) ?? []) {
      if (!canRefresh(resources.get(listener))) continue;
      const known = causes.get(listener);
      if (known) known.push(name);
      else {
        causes.set(listener, [name]);
        if (!changed.has(listener)) queue.push(listener);
      }
    }
  }
  return [...causes]
    .filter(([name]) => !changed.has(name))
    .map(([resource, by]) => ({ ...identity(resource, resources.get(resource) as Resource), kind: 'refreshed', by }));
}

function canRefresh(resource: Resource | undefined): boolean {
  return resource?.type === 'service' || resource?.type === 'exec';
}
