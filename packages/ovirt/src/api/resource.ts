import { ProblemError, problem, type Text } from '@nova-platform/api';
import type { Received, Shown } from '../xml.ts';
import type { Call } from './call.ts';
import type { SearchKeys } from './search.ts';

export const apiPath = '/ovirt-engine/api';

export type Body = Record<string, Received | Received[]>;
export type Fields = Record<string, Shown>;

/** One collection of the API: how its items are shown, and what is accepted. */
export interface Resource<Item, Parent> {
  /** The last part of its path: `diskattachments`. */
  path: string;
  /** The names of the elements: `disk_attachment`, `disk_attachments`. */
  element: string;
  elements: string;
  kind: Text;
  id(item: Item): string;
  list(call: Call, parent: Parent): Promise<readonly Item[]>;
  /** Without ID and links. */
  show(item: Item, call: Call, parent: Parent): Fields | Promise<Fields>;
  /** Without them the collection cannot be searched. */
  search?: (call: Call) => SearchKeys<Item> | Promise<SearchKeys<Item>>;
  add?(call: Call, body: Body, parent: Parent): Promise<Item>;
  update?(call: Call, item: Item, body: Body, parent: Parent): Promise<Item>;
  remove?(call: Call, item: Item, parent: Parent): Promise<void>;
  /** The result is part of the response. */
  actions?: Record<string, (call: Call, item: Item, body: Body, parent: Parent) => Promise<Fields | undefined>>;
  children?: readonly AnyResource[];
}

// biome-ignore lint/suspicious/noExplicitAny: a tree of resources with different items
export type AnyResource = Resource<any, any>;

/** A child element with children of its own. */
export function bodyAt(body: Body, name: string): Body | undefined {
  const child = body[name];
  return typeof child === 'object' && !Array.isArray(child) ? child : undefined;
}

/** A reference to another object. */
export function reference(path: string, id: string): { href: string; id: string } {
  return { href: `${apiPath}/${path}/${id}`, id };
}

/** A collection that is always empty: clients list it. */
export function empty(path: string, element: string, elements: string): AnyResource {
  return {
    path,
    element,
    elements,
    kind: { en: element, ru: element },
    id: () => '',
    list: async () => [],
    show: () => ({}),
    search: () => ({ name: () => undefined, id: () => undefined }),
  };
}

/** An item with its ID, its address and links to its collections. */
export async function shown<Item, Parent>(
  resource: Resource<Item, Parent>,
  item: Item,
  call: Call,
  parent: Parent,
  href: string,
): Promise<Fields> {
  const { children = [] } = resource;
  const fields = resource.show(item, call, parent);
  return {
    href,
    id: resource.id(item),
    ...(fields instanceof Promise ? await fields : fields),
    link: children.map(({ path }) => ({ href: `${href}/${path}`, rel: path })),
  };
}

export function notFound(kind: Text, id: string): ProblemError {
  return new ProblemError(problem('NOVA7605', { kind, id: id.slice(0, 100) }));
}

export interface Found {
  resource: AnyResource;
  parent: unknown;
  /** The path of the collection. */
  collection: string;
  item?: unknown;
  /** The rest of the path, if it names no collection: an action. */
  action?: string;
}

/** Follows a path through the tree: `vms/ID/nics`. */
export async function find(call: Call, roots: readonly AnyResource[], path: readonly string[]): Promise<Found> {
  let resources = roots;
  let parent: unknown;
  let href = apiPath;
  for (let index = 0; index < path.length; index += 2) {
    const [segment = '', id, action] = path.slice(index, index + 3);
    const resource = resources.find((each) => each.path === segment.toLowerCase());
    if (!resource) throw unknownCall(call, path);
    href += `/${resource.path}`;
    const found = { resource, parent, collection: href };
    if (id === undefined) return found;
    const item = (await itemsOf(call, found)).find((each) => resource.id(each) === id.toLowerCase());
    if (item === undefined) throw notFound(resource.kind, id);
    if (action === undefined) return { ...found, item };
    const isChild = resource.children?.some((child) => child.path === action.toLowerCase());
    if (!isChild && index + 3 === path.length) return { ...found, item, action: action.toLowerCase() };
    [resources, parent] = [resource.children ?? [], item];
    href += `/${id.toLowerCase()}`;
  }
  throw unknownCall(call, path);
}

export async function itemsOf(call: Call, { resource, parent, collection }: Found): Promise<readonly unknown[]> {
  const known = call.lists.get(collection);
  if (known) return known;
  const items = resource.list(call, parent);
  call.lists.set(collection, items);
  return items;
}

export function unknownCall(call: Call, path: readonly string[]): ProblemError {
  const name = `${call.request.method} ${path.join('/').slice(0, 200)}`;
  return new ProblemError(problem('NOVA7607', { call: name }));
}
