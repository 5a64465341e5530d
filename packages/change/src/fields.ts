import { formatPath, type Path } from '@nova-platform/api';

/** A field with its values before and after a request; a value is absent if the field was or is not set. */
export interface ChangedField {
  field: string;
  before?: string;
  after?: string;
}

/** The maximum for one entry of the audit log. */
const mostChanges = 100;
const longestValue = 200;

/** The fields in which two values differ, in the order of the second value. */
export function changesBetween(before: object, after: object): ChangedField[] {
  const [old, fresh] = [leavesOf(before), leavesOf(after)];
  const fields = new Set([...fresh.keys(), ...old.keys()]);
  const changes = [...fields]
    .filter((field) => old.get(field) !== fresh.get(field))
    .map((field) => changedField(field, old.get(field), fresh.get(field)));
  return limited(changes);
}

export function changedField(field: string, before: string | undefined, after: string | undefined): ChangedField {
  return {
    field,
    ...(before !== undefined && { before: before.slice(0, longestValue) }),
    ...(after !== undefined && { after: after.slice(0, longestValue) }),
  };
}

/** The audit log is never pruned: of a very large change, an entry keeps the first fields and the number of the rest. */
export function limited(changes: readonly ChangedField[]): ChangedField[] {
  if (changes.length <= mostChanges) return [...changes];
  return [...changes.slice(0, mostChanges), { field: '…', after: `+${changes.length - mostChanges}` }];
}

/** All leaf values by their paths. */
export function leavesOf(value: unknown, path: Path = []): Map<string, string> {
  if (typeof value !== 'object' || value === null)
    return new Map(
      value === undefined || value === null ? [] : [[formatPath(path), `${value as string | number | boolean}`]],
    );
  const steps: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return new Map(steps.flatMap(([step, child]) => [...leavesOf(child, [...path, step])]));
}
