import { machineKinds } from '@nova-platform/api';
import { z } from 'zod';

const text = z.object({ en: z.string(), ru: z.string() });

/** A value is absent if the field was or is not set. */
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
  /** Set if the host has fewer processors than the manifest requests. */
  offeredCpu: z.int().exactOptional(),
  /** Whether writing beyond the disk fails; only some hosts can limit it. */
  isDiskEnforced: z.boolean(),
  /** Absent in changes of older releases. */
  machineKind: z.enum(machineKinds).exactOptional(),
  /** Set for a VM on a host without KVM. */
  isEmulated: z.literal(true).exactOptional(),
};

const machine = z.discriminatedUnion('action', [
  z.object({ ...node, ...sized, action: z.literal('create') }),
  /** The machine exists but does not run. */
  z.object({ ...node, action: z.literal('start') }),
  /** The machine exists but can never become the node: it is created again. */
  z.object({ ...node, ...sized, action: z.literal('replace') }),
  z.object({
    ...node,
    ...sized,
    action: z.literal('resize'),
    fields: z.array(field),
    /** If false, the node is drained and its machine restarts. */
    isLive: z.boolean(),
  }),
  z.object({ ...node, action: z.literal('remove') }),
]);

const catalog = z.object({
  node: z.string(),
  changes: z.array(catalogChange),
  /** The node never connected: it gets its first catalog when it enrols. */
  isFirst: z.boolean(),
  /** The node has not applied its approved catalog yet. */
  isBehind: z.boolean(),
});

/** Everything else that is planned: networks, names, certificates, modules, Kubernetes objects. */
const item = z.object({
  action: z.enum(['add', 'change', 'remove']),
  kind: z.string(),
  id: z.string(),
  fields: z.array(field),
});

/** An effect that users notice. Disruptions are in the order in which they happen. */
const disruption = z.object({
  kind: z.enum(['api', 'services', 'drain', 'restart', 'other']),
  node: z.string().exactOptional(),
  text,
  /** The maximum duration. */
  seconds: z.int().exactOptional(),
});

/** Everything that makes a cluster match its documents. */
export const change = z
  .object({
    cluster: z.string(),
    /** The cluster does not exist yet, or its API has never responded. */
    isNew: z.boolean(),
    /** Fields of the documents; secrets are masked. */
    documents: z.array(field),
    machines: z.array(machine),
    catalogs: z.array(catalog),
    items: z.array(item),
    disruptions: z.array(disruption),
    /** The previous change, if it is incomplete: the operation completes it as well. */
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
