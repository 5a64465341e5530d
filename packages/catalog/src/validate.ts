import { dirname } from 'node:path';
import { nearestTo, type Problem, problem } from '@nova-platform/api';
import { type Resource, reference, relations, type Value } from './resource.ts';
import { Sensitive } from './sensitive.ts';
import { resourceTypes } from './types.ts';

/** Finds everything that makes agents reject a catalog. */
export function findProblems(resources: readonly Resource[]): Problem[] {
  const known = new Map<string, Resource>();
  const problems: Problem[] = [];
  for (const resource of resources) {
    const name = reference(resource);
    if (known.has(name)) problems.push(problem('NOVA8001', { resource: name }, [name]));
    known.set(name, resource);
    problems.push(...parameterProblems(name, resource), ...combinationProblems(name, resource));
  }
  for (const [name, resource] of known) problems.push(...relationProblems(name, resource, known));
  const cycle = findCycle(known);
  if (cycle) problems.push(problem('NOVA8005', { cycle: cycle.join(' → ') }, cycle.slice(0, 1)));
  return problems;
}

function parameterProblems(name: string, resource: Resource): Problem[] {
  const schema = Object.hasOwn(resourceTypes, resource.type) ? resourceTypes[resource.type] : undefined;
  if (!schema)
    return [problem('NOVA8002', { type: resource.type, known: Object.keys(resourceTypes).join(', ') }, [name])];
  const checked = schema.safeParse(revealed(resource.parameters));
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

function revealed(parameters: Resource['parameters']): object {
  if (!Object.values(parameters).some((value) => value instanceof Sensitive)) return parameters;
  const plain = Object.entries(parameters).map(([key, value]) => [
    key,
    value instanceof Sensitive ? value.reveal() : value,
  ]);
  return Object.fromEntries(plain) as object;
}

/** Checks that span several parameters, which the schemas cannot express. */
function combinationProblems(name: string, { type, title, parameters }: Resource): Problem[] {
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
  // A list is the words of one command, or several conditions.
  const commands = !Array.isArray(plain) ? [plain] : parameter === 'command' ? plain.slice(0, 1) : plain;
  return commands.every((command) => typeof command !== 'string' || command.startsWith('/'));
}

function relationProblems(name: string, resource: Resource, known: ReadonlyMap<string, Resource>): Problem[] {
  const problems: Problem[] = [];
  for (const relation of relations)
    for (const other of resource.relations[relation] ?? [])
      if (!known.has(other)) problems.push(problem('NOVA8006', { resource: name, relation, other }, [name, relation]));
  return problems;
}

/** The first cycle in the order of resources, if any. Iterative: a catalog may be one long chain. */
function findCycle(resources: ReadonlyMap<string, Resource>): string[] | undefined {
  const after = followers(resources);
  const state = new Map<string, 'open' | 'done'>();
  for (const start of after.keys()) {
    if (state.has(start)) continue;
    const path: { name: string; next: Iterator<string> }[] = [];
    const enter = (name: string) => {
      state.set(name, 'open');
      path.push({ name, next: (after.get(name) ?? []).values() });
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

function followers(resources: ReadonlyMap<string, Resource>): Map<string, string[]> {
  const after = new Map<string, string[]>();
  for (const [name, { relations: related }] of resources)
    after.set(name, [...(related.before ?? []), ...(related.notify ?? [])]);
  for (const [name, { relations: related }] of resources) {
    for (const earlier of related.require ?? []) after.get(earlier)?.push(name);
    for (const earlier of related.subscribe ?? []) after.get(earlier)?.push(name);
  }
  // Agents create a folder before its contents, unless a relation says otherwise.
  const files = new Map<string, string>();
  for (const [name, { type, title }] of resources) if (type === 'file') files.set(title, name);
  for (const [path, name] of files) {
    const folder = folderOf(path, files);
    if (folder !== undefined && !after.get(name)?.includes(folder)) after.get(folder)?.push(name);
  }
  return after;
}

/** The nearest parent folder of a file that is also in the catalog. */
function folderOf(file: string, files: ReadonlyMap<string, string>): string | undefined {
  for (let path = dirname(file); path.length > 1; path = dirname(path)) {
    const folder = files.get(path);
    if (folder !== undefined) return folder;
  }
  return undefined;
}
