import type { Received } from '@nova-platform/ovirt/xml';

export type Element = Received;

/** The child at a path: `cpu.topology.cores`. */
function at(element: Element | undefined, path: string): Element | undefined {
  let found: Element | undefined = element;
  for (const name of path.split('.')) {
    if (typeof found !== 'object') return undefined;
    const child: Element | Element[] | undefined = found[name];
    found = Array.isArray(child) ? child[0] : child;
  }
  return found;
}

export function textAt(element: Element | undefined, path: string): string | undefined {
  const found = at(element, path);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(element: Element | undefined, path: string): number | undefined {
  const text = textAt(element, path);
  return text === undefined || text === '' ? undefined : Number(text);
}

export function flagAt(element: Element | undefined, path: string): boolean | undefined {
  const text = textAt(element, path);
  return text === undefined ? undefined : text === 'true';
}

/** The children with this name, of an element that is a list. */
export function listAt(element: Element | undefined, name: string): readonly Element[] {
  const children = typeof element === 'object' ? element[name] : undefined;
  if (children === undefined) return [];
  return Array.isArray(children) ? children : [children];
}

/** The ID, which every object of the engine has. */
export function idOf(element: Element): string {
  return textAt(element, 'id') ?? '';
}
