import { z } from 'zod';

const text = z.object({ en: z.string(), ru: z.string() });

/** What is missing was not there before, or is not there after it. */
const field = z.object({ name: z.string(), before: z.unknown().optional(), after: z.unknown().optional() });

const resource = { resource: z.string(), piece: z.string().exactOptional() };

/** One resource of a node's catalog. */
export const catalogChange = z.discriminatedUnion('kind', [
  z.object({ ...resource, kind: z.literal('added') }),
  z.object({ ...resource, kind: z.literal('no longer managed') }),
  z.object({
    ...resource,
    kind: z.literal('changed'),
    parameters: z.array(
      z.object({ parameter: z.string(), from: z.string().exactOptional(), to: z.string().exactOptional() }),
    ),
  }),
  z.object({ ...resource, kind: z.literal('refreshed'), by: z.array(z.string()) }),
]);

const node = { name: z.string(), address: z.string(), isControlPlane: z.boolean() };
const sized = {
  size: z.object({ cpu: z.int(), memory: z.string(), disk: z.string() }),
  /** Where the host has fewer processors than the manifest asks for. */
  offeredCpu: z.int().exactOptional(),
  /** Whether writing beyond the disk fails; only some hosts can limit it. */
  isDiskEnforced: z.boolean(),
};

const machine = z.discriminatedUnion('action', [
  z.object({ ...node, ...sized, action: z.literal('create') }),
  /** It is there and does not run. */
  z.object({ ...node, action: z.literal('start') }),
  /** It is there and can never become what it should: it is created anew. */
  z.object({ ...node, ...sized, action: z.literal('replace') }),
  z.object({
    ...node,
    ...sized,
    action: z.literal('resize'),
    fields: z.array(field),
    /** Else the node is drained and its machine restarts. */
    isLive: z.boolean(),
  }),
  z.object({ ...node, action: z.literal('remove') }),
]);

const catalog = z.object({
  node: z.string(),
  changes: z.array(catalogChange),
  /** It was never seen: its first catalog is made when it comes. */
  isFirst: z.boolean(),
  /** It has not become yet what was approved before. */
  isBehind: z.boolean(),
});

/** Anything else that is planned: networks, names, certificates, modules, Kubernetes objects of ours. */
const item = z.object({
  action: z.enum(['add', 'change', 'remove']),
  kind: z.string(),
  id: z.string(),
  fields: z.array(field),
});

/** What users would notice, in the order in which it happens. */
const disruption = z.object({
  kind: z.enum(['api', 'services', 'drain', 'restart', 'other']),
  node: z.string().exactOptional(),
  text,
  /** How long at most. */
  seconds: z.int().exactOptional(),
});

/** Everything that would be done to make a cluster what its documents declare. */
export const change = z
  .object({
    cluster: z.string(),
    /** The cluster is not there yet, or its API has never answered. */
    isNew: z.boolean(),
    /** Fields of the documents; secrets are masked. */
    documents: z.array(field),
    machines: z.array(machine),
    catalogs: z.array(catalog),
    items: z.array(item),
    disruptions: z.array(disruption),
    /** The change before, where it was not completed: the rest of it is done as well. */
    unfinished: z.int().exactOptional(),
  })
  .meta({ id: 'Change' });

export type Change = z.output<typeof change>;
export type MachineChange = z.output<typeof machine>;
export type CatalogState = z.output<typeof catalog>;
export type CatalogChange = z.output<typeof catalogChange>;
export type ItemChange = z.output<typeof item>;
export type FieldChange = z.output<typeof field>;
export type Disruption = z.output<typeof disruption>;
