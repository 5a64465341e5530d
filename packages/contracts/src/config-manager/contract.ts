import { formatted } from '@nova-platform/api';
import { catalogChange, change } from '@nova-platform/change/schema';
import type { Contract } from '@nova-platform/http/contract';
import { clusterPlan, outdatedPlan } from '@nova-platform/plan';
import { z } from 'zod';

/** `ca` is reserved: agents request the CA certificate under this name. */
const nodeName = formatted('domain', 253).refine((name) => name !== 'ca', 'domain');
const named = z.object({ name: nodeName });
const partOfName = z.string().regex(/^[a-z0-9.-]{1,253}$/i, 'a name or a part of one');
const time = z.iso.datetime();
const maxTokenSeconds = 30 * 24 * 3600;

const runStatus = z.enum(['unchanged', 'changed', 'failed']);

const nodeStatus = z.object({
  name: z.string(),
  cluster: z.string().exactOptional(),
  /** The planned roles; none for a node that is in no plan. */
  roles: z.array(z.string()),
  address: z.string().exactOptional(),
  identity: z.enum(['valid', 'revoked', 'none']),
  lastRun: z
    .object({
      at: time,
      status: runStatus,
      isNoop: z.boolean(),
      changed: z.int(),
      corrective: z.int(),
      failed: z.int(),
      seconds: z.number(),
    })
    .exactOptional(),
  agentVersion: z.string().exactOptional(),
  seenAt: time.exactOptional(),
});
/** `isAsking`: the agent is connected and waits for runs on demand. */
const listedNode = nodeStatus.extend({ isAsking: z.boolean() });

const runReport = z.object({
  /** As reported by the agent. */
  startedAt: z.string(),
  status: runStatus,
  isNoop: z.boolean(),
  catalog: z.string(),
  agentVersion: z.string(),
  seconds: z.number(),
  resources: z.object({
    total: z.number(),
    changed: z.int(),
    corrective: z.int(),
    failed: z.int(),
    skipped: z.int(),
  }),
  /** Failures first. */
  changes: z.array(
    z.object({
      resource: z.string(),
      piece: z.string().exactOptional(),
      property: z.string(),
      from: z.string(),
      to: z.string(),
      message: z.string(),
      outcome: z.enum(['changed', 'failed', 'would change']),
      /** The change corrects drift; it does not apply a new part of the catalog. */
      isCorrective: z.boolean(),
    }),
  ),
  /** Resources that were skipped because a dependency failed. */
  skipped: z.array(z.string()),
  /** Warnings and errors. */
  log: z.array(z.object({ level: z.string(), message: z.string() })),
});
const report = runReport.extend({ id: z.int(), receivedAt: time });

const references = z.array(z.string()).readonly().exactOptional();
const resource = z.object({
  type: z.enum(['file', 'exec', 'service', 'package', 'user', 'group', 'notify', 'tidy']),
  title: z.string(),
  /** Secrets are masked. */
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()])),
  relations: z.object({ before: references, require: references, notify: references, subscribe: references }),
  piece: z.string().exactOptional(),
});

const credentials = z.strictObject({ username: z.string(), password: z.string() });
const planAndSecrets = {
  plan: clusterPlan,
  secrets: z.strictObject({
    proxy: z.strictObject({ http: credentials.optional(), https: credentials.optional() }).optional(),
  }),
};
/** The change that a plan makes. The digest identifies it. */
const preview = z.object({ change, digest: z.string() });

const token = z.object({
  node: z.string(),
  token: z.string(),
  expiresAt: time,
  server: z.string(),
  fingerprint: z.string(),
  /** Whether an approved plan contains the node. */
  isPlanned: z.boolean(),
  /** Configuration for the first boot, with which the machine enrols itself. */
  cloudConfig: z.object({
    hostname: z.string(),
    write_files: z.array(z.object({ path: z.string(), content: z.string(), permissions: z.string() })),
  }),
});

const maxServerNames = 8;
const serverOrder = z
  .strictObject({
    dnsNames: z.array(formatted('domain', 253)).max(maxServerNames),
    addresses: z.array(z.union([z.ipv4(), z.ipv6()], 'address')).max(maxServerNames),
    /** SPKI in PEM. */
    publicKey: z.string().max(4096),
  })
  .refine(({ dnsNames, addresses }) => dnsNames.length + addresses.length > 0, {
    path: ['dnsNames'],
    error: 'at least one name or address',
  });

const runLine = z.union([
  z.object({ state: z.enum(['waiting', 'running']) }),
  z.object({ line: z.string() }),
  z.object({ report }),
]);

/** The API of the Configuration Manager for users. */
export const configContract = {
  health: {
    method: 'GET',
    path: '/v1/health',
    summary: 'Whether the server runs, and the fingerprint by which nodes verify it',
    access: 'anyone',
    response: z.object({ status: z.literal('ok'), fingerprint: z.string() }),
  },
  createToken: {
    method: 'POST',
    path: '/v1/tokens',
    summary: 'Creates a one-time enrolment token for one node',
    access: 'operator',
    body: z.strictObject({ node: nodeName, lifetimeSeconds: z.int().min(1).max(maxTokenSeconds) }),
    response: token,
    target: 'nodes/{node}',
    audited: ['lifetimeSeconds'],
  },
  listPlans: {
    method: 'GET',
    path: '/v1/plans',
    summary: 'Approved plans, one per cluster; a plan that this release cannot read is marked as outdated',
    access: 'viewer',
    response: z.array(z.union([clusterPlan, outdatedPlan])),
  },
  previewPlan: {
    method: 'POST',
    path: '/v1/plans/preview',
    summary: 'Previews the changes of a plan, per node',
    access: 'operator',
    body: z.strictObject(planAndSecrets),
    response: preview,
  },
  approvePlan: {
    method: 'POST',
    path: '/v1/plans',
    summary: 'Approves a plan; with the digest of a preview, approves exactly that change or refuses',
    access: 'operator',
    body: z.strictObject({ ...planAndSecrets, digest: z.string().max(128).optional() }),
    response: preview,
  },
  certifyServer: {
    method: 'POST',
    path: '/v1/server-certificates',
    summary: 'Issues a 30-day certificate for a server of the platform, with its chain and the CA',
    access: 'admin',
    body: serverOrder,
    audited: ['dnsNames', 'addresses'],
    response: z.object({ certificate: z.string(), authority: z.string() }),
  },
  listNodes: {
    method: 'GET',
    path: '/v1/nodes',
    summary: 'Nodes with their last runs, sorted by name, in pages',
    access: 'viewer',
    query: z.object({
      cluster: formatted('label', 63).optional(),
      search: partOfName.optional(),
      /** The `next` of the previous page. */
      after: partOfName.optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    response: z.object({ nodes: z.array(listedNode), next: z.string().exactOptional() }),
  },
  showNode: {
    method: 'GET',
    path: '/v1/nodes/:name',
    summary: 'A node, with the number of catalog changes since its last run and of changes that are not approved yet',
    access: 'viewer',
    params: named,
    response: listedNode.extend({ sinceLastRun: z.int(), pending: z.int() }),
  },
  showFacts: {
    method: 'GET',
    path: '/v1/nodes/:name/facts',
    summary: 'The facts that a node reports',
    access: 'viewer',
    params: named,
    response: z.record(z.string(), z.unknown()),
  },
  listReports: {
    method: 'GET',
    path: '/v1/nodes/:name/reports',
    summary: 'Reports of the runs of a node, newest first',
    access: 'viewer',
    params: named,
    query: z.object({ limit: z.coerce.number().int().min(1).max(500).default(20) }),
    response: z.array(report),
  },
  showCatalog: {
    method: 'GET',
    path: '/v1/nodes/:name/catalog',
    summary: 'The approved catalog of a node',
    access: 'viewer',
    params: named,
    response: z.object({ version: z.string(), approvedAt: time, node: z.string(), resources: z.array(resource) }),
  },
  showDifference: {
    method: 'GET',
    path: '/v1/nodes/:name/catalog/diff',
    summary: 'The catalog changes since the last run of a node, and the changes that are not approved yet',
    access: 'viewer',
    params: named,
    response: z.object({ sinceLastRun: z.array(catalogChange), pending: z.array(catalogChange) }),
  },
  revokeNode: {
    method: 'POST',
    path: '/v1/nodes/:name/revoke',
    summary: 'Revokes the certificates of a node; its cluster refuses them from now on',
    access: 'operator',
    params: named,
    /** Control planes that deny the node, those that will deny it after their next run, and those that cannot. */
    response: z.object({
      denied: z.array(z.string()),
      waiting: z.array(z.string()),
      unable: z.array(z.string()),
    }),
  },
  watchIdentities: {
    method: 'GET',
    path: '/v1/identities',
    summary: 'Serials of all valid identities of nodes, now and after every change',
    access: 'admin',
    response: z.object({ serials: z.array(z.string()) }),
    isStream: true,
  },
  runAgent: {
    method: 'POST',
    path: '/v1/nodes/:name/run',
    summary: 'Runs the agent of a node now, and streams its log',
    access: 'operator',
    params: named,
    body: z.strictObject({ isNoop: z.boolean() }),
    audited: ['isNoop'],
    response: runLine,
    isStream: true,
  },
} satisfies Contract;

export type NodeStatus = z.output<typeof nodeStatus>;
export type ListedNode = z.output<typeof listedNode>;
export type RunReport = z.output<typeof runReport>;
export type StoredReport = z.output<typeof report>;
export type RunLine = z.output<typeof runLine>;
export type Token = z.output<typeof token>;
export type ShownResource = z.output<typeof resource>;
