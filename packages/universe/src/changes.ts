import { formatPath, type Path } from '@nova-platform/api';

/** One field that a request changed; what is missing was not there before, or is not there after it. */
export interface Change {
  field: string;
  before?: string;
  after?: string;
}

/** Of one entry in the audit trail. */
const mostChanges = 100;
const longestValue = 200;

/** The fields in which two values differ, in the order of the second one. */
export function changesBetween(before: object, after: object): Change[] {
  const [old, fresh] = [leavesOf(before), leavesOf(after)];
  const fields = new Set([...fresh.keys(), ...old.keys()]);
  const changes = [...fields]
    .filter((field) => old.get(field) !== fresh.get(field))
    .map((field) => changeOf(field, old.get(field), fresh.get(field)));
  return limited(changes);
}

export function changeOf(field: string, before: string | undefined, after: string | undefined): Change {
  return {
    field,
    ...(before !== undefined && { before: before.slice(0, longestValue) }),
    ...(after !== undefined && { after: after.slice(0, longestValue) }),
  };
}

/** The trail is kept for ever: of a very large change it keeps the beginning, and how much is left out. */
export function limited(changes: readonly Change[]): Change[] {
  if (changes.length <= mostChanges) return [...changes];
  return [...changes.slice(0, mostChanges), { field: '…', after: `+${changes.length - mostChanges}` }];
}

/** Every value that has none below it, by its path. */
export function leavesOf(value: unknown, path: Path = []): Map<string, string> {
  if (typeof value !== 'object' || value === null)
    return new Map(
      value === undefined || value === null ? [] : [[formatPath(path), `${value as string | number | boolean}`]],
    );
  const steps: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return new Map(steps.flatMap(([step, child]) => [...leavesOf(child, [...path, step])]));
}
