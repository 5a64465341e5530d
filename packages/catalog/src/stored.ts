import type { Catalog } from './catalog.ts';
import type { Resource, Value } from './resource.ts';
import { Sensitive } from './sensitive.ts';

/** Encrypts and decrypts secrets at rest; the context names their owner. */
export interface Sealer {
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
}

interface Sealed {
  sealed: string;
}

type StoredResource = Omit<Resource, 'parameters'> & {
  parameters: Record<string, Exclude<Value, Sensitive> | Sealed>;
};

/** Serializes a catalog with its secrets sealed. */
export function storeCatalog({ node, resources }: Catalog, sealer: Sealer): string {
  const stored = resources.map((resource) => {
    if (!Object.values(resource.parameters).some(isSensitive)) return resource;
    const parameters = mapValues(resource.parameters, (value) =>
      isSensitive(value) ? { sealed: sealer.seal(value.reveal(), contextOf(node)) } : value,
    );
    return { ...resource, parameters };
  });
  return JSON.stringify({ node, resources: stored });
}

export function restoreCatalog(text: string, sealer: Sealer): Catalog {
  const { node, resources } = JSON.parse(text) as { node: string; resources: StoredResource[] };
  return {
    node,
    resources: resources.map((resource) => {
      if (!Object.values(resource.parameters).some(isSealed)) return resource as Resource;
      const parameters = mapValues(resource.parameters, (value) =>
        isSealed(value) ? new Sensitive(sealer.open(value.sealed, contextOf(node))) : value,
      );
      return { ...resource, parameters };
    }),
  };
}

const isSensitive = (value: unknown): value is Sensitive => value instanceof Sensitive;

const isSealed = (value: unknown): value is Sealed => typeof value === 'object' && value !== null && 'sealed' in value;

const contextOf = (node: string): string => `catalog/${node}`;

function mapValues<From, To>(values: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
