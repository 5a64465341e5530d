import type { Shown } from '../xml.ts';
import type { Call } from './call.ts';
import { type AnyResource, apiPath, type Fields, find, itemsOf, shown } from './resource.ts';

const maxPaths = 10;
const maxDepth = 4;

/** Puts linked objects and collections into an object: `follow=nics,diskattachments.disk`. */
export async function followed(call: Call, roots: readonly AnyResource[], fields: Fields): Promise<Fields> {
  const { follow, detail } = call.request.query;
  const paths = [follow, detail].flatMap((each) => each?.split(/[,;+]/) ?? []);
  let result = fields;
  for (const path of paths.slice(0, maxPaths)) {
    const [head = '', ...rest] = path.trim().split('.', maxDepth);
    if (head !== '') result = await inline(call, roots, result, head, rest);
  }
  return result;
}

async function inline(
  call: Call,
  roots: readonly AnyResource[],
  fields: Fields,
  head: string,
  rest: string[],
): Promise<Fields> {
  const links = fields.link as readonly Fields[] | undefined;
  const name = head.toLowerCase().replaceAll('_', '');
  const link = links?.find(({ rel }) => rel === name);
  const deeper = async (value: Fields) => {
    const [next, ...after] = rest;
    return next === undefined ? value : inline(call, roots, value, next, after);
  };
  if (link) {
    const found = await find(call, roots, pathOf(link));
    const { resource, parent, collection } = found;
    const all = await itemsOf(call, found);
    call.addFollowed(all.length);
    const items = await Promise.all(
      all.map(async (item) => deeper(await shown(resource, item, call, parent, `${collection}/${resource.id(item)}`))),
    );
    const others = links?.filter((each) => each !== link) ?? [];
    return { ...fields, link: others, [resource.elements]: { [resource.element]: items } };
  }
  const value = fields[head];
  if (!isFields(value)) return fields;
  if (typeof value.href === 'string') return { ...fields, [head]: await deeper(await resolved(call, roots, value)) };
  // A list of references: `vms` of an affinity group.
  const [element] = Object.keys(value);
  const list = element === undefined ? undefined : value[element];
  if (element === undefined || !Array.isArray(list)) return fields;
  const items = await Promise.all(
    (list as Fields[]).map(async (each) =>
      each.href === undefined ? each : deeper(await resolved(call, roots, each)),
    ),
  );
  return { ...fields, [head]: { [element]: items } };
}

/** An object that is gone stays a reference. */
async function resolved(call: Call, roots: readonly AnyResource[], reference: Fields): Promise<Fields> {
  const found = await find(call, roots, pathOf(reference)).catch(() => undefined);
  if (found?.item === undefined) return reference;
  const { resource, parent, collection, item } = found;
  call.addFollowed(1);
  return shown(resource, item, call, parent, `${collection}/${resource.id(item)}`);
}

function pathOf({ href }: Fields): string[] {
  return (typeof href === 'string' ? href : '').slice(apiPath.length + 1).split('/');
}

function isFields(value: Shown): value is Fields {
  return typeof value === 'object' && !Array.isArray(value);
}
