import { dirname } from 'node:path';
import { nearestTo, type Problem, problem } from '@nova-platform/api';
import { type Resource, reference, relations, type Value } from './resource.ts';
import { Sensitive } from './sensitive.ts';
import { resourceTypes } from './types.ts';

/** Everything an agent would reject a catalog for, found before a node sees it. */
export function findProblems(resources: readonly Resource[]): Problem[] {
  const known = new Map<string, Resource>();
  const problems: Problem[] = [];
  for (const resource of resources) {
    const name = reference(resource);
    if (known.has(name)) problems.push(problem('NOVA8001', { resource: name }, [name]));
    known.set(name, resource);
    problems.push(...parameterProblems(resource), ...combinationProblems(resource));
  }
  for (const resource of resources) problems.push(...relationProblems(resource, known));
  const cycle = findCycle(resources);
  if (cycle) problems.push(problem('NOVA8005', { cycle: cycle.join(' → ') }, cycle.slice(0, 1)));
  return problems;
}

function parameterProblems(resource: Resource): Problem[] {
  const name = reference(resource);
  const schema = Object.hasOwn(resourceTypes, resource.type) ? resourceTypes[resource.type] : undefined;
  if (!schema)
    return [problem('NOVA8002', { type: resource.type, known: Object.keys(resourceTypes).join(', ') }, [name])];
  const revealed = Object.entries(resource.parameters).map(([key, value]) => [
    key,
    value instanceof Sensitive ? value.reveal() : value,
  ]);
  const checked = schema.safeParse(Object.fromEntries(revealed));
  if (checked.success) return [];
  const names = Object.keys(schema.shape);
  return checked.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) =>
          problem(
            'NOVA8003',
            { resource: name, parameter: key, nearest: nearestTo(key, names), known: names.join(', ') },
            [name, key],
          ),
        )
      : [
          problem('NOVA8004', { resource: name, parameter: String(issue.path[0] ?? ''), reason: issue.message }, [
            name,
            ...issue.path.map(String),
          ]),
        ],
  );
}

/** What a schema of single parameters does not see. */
function combinationProblems({ type, title, parameters }: Resource): Problem[] {
  const name = reference({ type, title });
  const wrong = (parameter: string, reason: string) => [
    problem('NOVA8004', { resource: name, parameter, reason }, [name, parameter]),
  ];
  if (type === 'file') {
    return [
      ...(/^\/([^/]+(\/[^/]+)*)?$/.test(title) ? [] : wrong('title', 'an absolute path without empty parts')),
      ...('content' in parameters && 'target' in parameters ? wrong('target', 'not together with content') : []),
    ];
  }
  if (type === 'exec' && !('path' in parameters)) {
    return ['command', 'unless', 'onlyif']
      .filter((parameter) => !isQualified(parameters[parameter], parameter))
      .flatMap((parameter) => wrong(parameter, 'an absolute path, or a search path'));
  }
  return [];
}

function isQualified(value: Value | undefined, parameter: string): boolean {
  const plain = value instanceof Sensitive ? value.reveal() : value;
  if (plain === undefined) return true;
  // A list is one command in words, or several conditions.
  const commands = !Array.isArray(plain) ? [plain] : parameter === 'command' ? plain.slice(0, 1) : plain;
  return commands.every((command) => typeof command !== 'string' || command.startsWith('/'));
}

function relationProblems(resource: Resource, known: ReadonlyMap<string, Resource>): Problem[] {
  const name = reference(resource);
  return relations.flatMap((relation) =>
    (resource.relations[relation] ?? [])
      .filter((other) => !known.has(other))
      .map((other) => problem('NOVA8006', { resource: name, relation, other }, [name, relation])),
  );
}

/** The first cycle of "comes before", or nothing. Iterative: a catalog may be one long chain. */
function findCycle(resources: readonly Resource[]): string[] | undefined {
  const after = followers(resources);
  const state = new Map<string, 'open' | 'done'>();
  for (const start of after.keys()) {
    if (state.has(start)) continue;
    const path: { name: string; next: Iterator<string> }[] = [];
    const enter = (name: string) => {
      state.set(name, 'open');
      path.push({ name, next: (after.get(name) ?? new Set<string>()).values() });
    };
    enter(start);
    while (path.length > 0) {
      const top = path[path.length - 1];
      const { value: next, done } = top?.next.next() ?? { value: undefined, done: true };
      if (done || next === undefined) {
        if (top) state.set(top.name, 'done');
        path.pop();
      } else if (state.get(next) === 'open') {
        const names = path.map(({ name }) => name);
        return [...names.slice(names.indexOf(next)), next];
      } else if (!state.has(next)) enter(next);
    }
  }
  return undefined;
}

function followers(resources: readonly Resource[]): Map<string, Set<string>> {
  const after = new Map<string, Set<string>>(resources.map((resource) => [reference(resource), new Set()]));
  for (const resource of resources) {
    const name = reference(resource);
    const { before = [], notify = [], require = [], subscribe = [] } = resource.relations;
    for (const later of [...before, ...notify]) after.get(name)?.add(later);
    for (const earlier of [...require, ...subscribe]) after.get(earlier)?.add(name);
  }
  // Agents make a folder before what is in it, unless it is said otherwise.
  for (const resource of resources) {
    const name = reference(resource);
    const folder = folderOf(resource, after);
    if (folder !== undefined && !after.get(name)?.has(folder)) after.get(folder)?.add(name);
  }
  return after;
}

/** The nearest folder of a file that is in the catalog too. */
function folderOf({ type, title }: Resource, known: ReadonlyMap<string, unknown>): string | undefined {
  if (type !== 'file') return undefined;
  for (let path = dirname(title); path.length > 1; path = dirname(path)) {
    const folder = reference({ type, title: path });
    if (known.has(folder)) return folder;
  }
  return undefined;
}
