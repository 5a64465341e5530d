/** Values in the notation of RFC 7047: a set with one element is written as that element. */
export type Uuid = readonly ['uuid' | 'named-uuid', string];
export type Atom = string | number | boolean | Uuid;
export type OvsdbSet = readonly ['set', readonly Atom[]];
export type OvsdbMap = readonly ['map', readonly (readonly [Atom, Atom])[]];
export type Value = Atom | OvsdbSet | OvsdbMap;
export type Row = Record<string, Value>;

type Condition = readonly [column: string, function_: '==' | '!=' | 'includes' | 'excludes', value: Value];

export type Operation =
  | { op: 'insert'; table: string; row: Row; 'uuid-name'?: string }
  | { op: 'select'; table: string; where: readonly Condition[]; columns?: readonly string[] }
  | { op: 'update'; table: string; where: readonly Condition[]; row: Row }
  | {
      op: 'mutate';
      table: string;
      where: readonly Condition[];
      mutations: readonly (readonly [column: string, mutator: '+=' | '-=' | 'insert' | 'delete', value: Value])[];
    }
  | { op: 'delete'; table: string; where: readonly Condition[] }
  | {
      op: 'wait';
      timeout: number;
      table: string;
      where: readonly Condition[];
      columns: readonly string[];
      until: '==' | '!=';
      rows: readonly Row[];
    }
  | { op: 'commit'; durable: boolean }
  | { op: 'comment'; comment: string };

export interface OperationResult {
  count?: number;
  uuid?: Uuid;
  rows?: Row[];
  error?: string;
  details?: string;
}

export function uuid(id: string): Uuid {
  return ['uuid', id];
}

export function named(name: string): Uuid {
  return ['named-uuid', name];
}

export function set(atoms: readonly Atom[]): OvsdbSet {
  return ['set', atoms];
}

export function map(record: Readonly<Record<string, string>>): OvsdbMap {
  return ['map', Object.entries(record)];
}

/** The elements of a column, also of a set that is written as its only element. */
export function elements(value: Value | undefined): Atom[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value[0] === 'set') return [...(value[1] as Atom[])];
  return [value as Atom];
}

export function record(value: Value | undefined): Record<string, string> {
  return Array.isArray(value) && value[0] === 'map' ? Object.fromEntries(value[1]) : {};
}

/** The id of a row. */
export function idOf(row: Row): string {
  return reference(row._uuid);
}

function reference(value: Value | undefined): string {
  return Array.isArray(value) && value[0] === 'uuid' ? String(value[1]) : '';
}

/** The IDs that a column references. */
export function references(value: Value | undefined): string[] {
  return elements(value).map(reference);
}

/** Whether two values are equal; sets and maps have no order. */
export function equal(a: Value | undefined, b: Value | undefined): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: Value | undefined): string {
  if (Array.isArray(value) && value[0] === 'map') {
    return JSON.stringify(['map', [...value[1]].map((entry) => JSON.stringify(entry)).sort()]);
  }
  return JSON.stringify([
    'set',
    elements(value)
      .map((atom) => JSON.stringify(atom))
      .sort(),
  ]);
}
