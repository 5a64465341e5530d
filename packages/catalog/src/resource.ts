import type { Sensitive } from './sensitive.ts';
import type { ParametersOf, ResourceType } from './types.ts';

export const relations = ['before', 'require', 'notify', 'subscribe'] as const;
export type Relation = (typeof relations)[number];

type Plain = string | number | boolean | readonly string[];
export type Value = Plain | Sensitive;

/** One item of a node's desired state, such as a file or a service. */
export interface Resource {
  type: ResourceType;
  title: string;
  parameters: Readonly<Record<string, Value>>;
  /** References to other resources of the catalog, such as `File[/etc/hosts]`. */
  relations: Readonly<Partial<Record<Relation, readonly string[]>>>;
  /** The piece that the resource belongs to. */
  piece?: string;
}

/** Relations take the other resource itself, so that its name cannot be misspelled. */
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

/** `File[/etc/hosts]`: the name of a resource in catalogs and reports. */
export function reference({ type, title }: Pick<Resource, 'type' | 'title'>): string {
  return `${typeName(type)}[${title}]`;
}

/** In the agents' spelling. */
export function typeName(type: ResourceType): string {
  return `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}

/** Assigns resources to a named piece of the node, which reports show. */
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
