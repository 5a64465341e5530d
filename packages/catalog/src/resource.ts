import type { Sensitive } from './sensitive.ts';
import type { ParametersOf, ResourceType } from './types.ts';

export const relations = ['before', 'require', 'notify', 'subscribe'] as const;
export type Relation = (typeof relations)[number];

type Plain = string | number | boolean | readonly string[];
export type Value = Plain | Sensitive;

/** One thing a node should have, be or run. */
export interface Resource {
  type: ResourceType;
  title: string;
  parameters: Readonly<Record<string, Value>>;
  /** References to other resources of the catalog, such as `File[/etc/hosts]`. */
  relations: Readonly<Partial<Record<Relation, readonly string[]>>>;
  /** The piece of the node it belongs to. */
  piece?: string;
}

/** Relations name the other resource itself, so that it cannot be misspelt. */
type Related = Partial<Record<Relation, readonly Resource[]>>;
type OrSensitive<Parameters> = { [Name in keyof Parameters]: Parameters[Name] | Sensitive };

function builder<Type extends ResourceType>(type: Type) {
  return (title: string, parameters: OrSensitive<ParametersOf<Type>>, related: Related = {}): Resource => ({
    type,
    title,
    parameters: present(parameters),
    relations: references(related),
  });
}

export const file = builder('file');
export const exec = builder('exec');
export const service = builder('service');
export const pkg = builder('package');
export const user = builder('user');
export const group = builder('group');
export const notify = builder('notify');
export const tidy = builder('tidy');

/** `File[/etc/hosts]`, as agents and their reports name a resource. */
export function reference({ type, title }: Pick<Resource, 'type' | 'title'>): string {
  return `${typeName(type)}[${title}]`;
}

/** As agents spell it. */
export function typeName(type: ResourceType): string {
  return `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}

/** A named piece of a node: its resources know where they come from, and so do reports. */
export function piece(name: string, ...resources: readonly Resource[]): Resource[] {
  return resources.map((resource) => ({ ...resource, piece: name }));
}

function references(related: Related): Resource['relations'] {
  const named: Partial<Record<Relation, string[]>> = {};
  for (const relation of relations) {
    const others = related[relation];
    if (others && others.length > 0) named[relation] = others.map(reference);
  }
  return named;
}

function present(parameters: object): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [name, value] of Object.entries(parameters) as [string, Value | undefined][])
    if (value !== undefined) values[name] = value;
  return values;
}
