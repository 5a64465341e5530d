import { formatted } from '@nova-platform/api';
import { change } from '@nova-platform/change/schema';
import type { Contract } from '@nova-platform/http/contract';
import { clusterPlan } from '@nova-platform/plan';
import { z } from 'zod';
import { clusterParams, limit, line, name, none, problem, time } from './common.ts';
import { operation } from './operations.ts';

/** The place in a document, and the line with secrets masked. */
const place = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  snippet: z.string(),
  caret: z.int(),
  length: z.int(),
});
const groupCounts = z.record(name, z.int().min(0).max(1000));
const cluster = z.object({
  name: z.string(),
  revision: z.int(),
  provider: z.string(),
  kubernetesVersion: z.string(),
  nodeCount: z.int(),
  changedAt: time,
  changedBy: z.string(),
});
const resource = z.object({ needed: z.number(), available: z.number() });
/** The change that a declaration makes. The digest identifies it. */
export const preview = z.object({
  plan: clusterPlan,
  change,
  digest: z.string(),
  /**
   * What the plan needs beyond what the running machines have, and what the provider offers. Memory and disk in bytes.
   * Machines share processors. Missing while the provider is unreachable.
   */
  resources: z.object({ memory: resource, disk: resource, processors: resource }).exactOptional(),
});
/** Without an operation if nothing changes. */
export const declared = z.object({ cluster, operation: operation.exactOptional() });
export const digest = z.string().max(128).optional();
const quantity = formatted('quantity');

export const clustersContract = {
  listClusters: {
    method: 'GET',
    path: '/v1/clusters',
    summary: 'Clusters, sorted by name',
    access: 'viewer',
    query: z.strictObject({ search: line(63).optional(), after: name.optional(), limit }),
    response: z.object({
      clusters: z.array(cluster.extend({ failedNodes: z.int(), unseenNodes: z.int() })),
      next: z.string().optional(),
    }),
  },
  showCluster: {
    method: 'GET',
    path: '/v1/clusters/:cluster',
    summary: 'A cluster: its documents with secrets masked, and its plan',
    access: 'node',
    params: clusterParams,
    response: cluster.extend({ documents: z.string(), plan: clusterPlan }),
  },
  clusterCertificates: {
    method: 'GET',
    path: '/v1/clusters/:cluster/certificates',
    summary: 'Certificates of the nodes of a cluster, the earliest expiry first',
    access: 'viewer',
    params: clusterParams,
    response: z.object({
      certificates: z.array(
        /** `overdueAt`: the time by which the node should have renewed it. */
        z.object({ node: z.string(), name: z.string(), notAfter: time, overdueAt: time }),
      ),
    }),
  },
  checkDocuments: {
    method: 'POST',
    path: '/v1/documents/check',
    summary: 'Validates documents together with all declared clusters; returns their plan or their problems',
    access: 'operator',
    body: z.strictObject({ documents: z.string().max(1024 * 1024) }),
    // Editors call it after every change.
    isReading: true,
    response: z.object({
      problems: z.array(problem.extend({ place: place.optional() })),
      /** Set if there are no problems. */
      plan: clusterPlan.optional(),
    }),
  },
  previewCluster: {
    method: 'POST',
    path: '/v1/clusters/:cluster/preview',
    summary: 'Previews the changes of a declaration; changes nothing',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ documents: z.string().max(1024 * 1024) }),
    response: preview,
  },
  declareCluster: {
    method: 'PUT',
    path: '/v1/clusters/:cluster',
    summary: 'Declares a cluster and starts the operation that applies it; If-Match prevents lost updates',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ documents: z.string().max(1024 * 1024), digest }),
    response: declared,
  },
  previewScale: {
    method: 'POST',
    path: '/v1/clusters/:cluster/scale/preview',
    summary: 'Previews the changes of new node group sizes; changes nothing',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ groups: groupCounts }),
    response: preview,
  },
  scaleCluster: {
    method: 'POST',
    path: '/v1/clusters/:cluster/scale',
    summary: 'Declares new sizes of node groups, by name or role, and starts the operation that applies them',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ groups: groupCounts, digest }),
    response: declared,
  },
  listTenants: {
    method: 'GET',
    path: '/v1/clusters/:cluster/tenants',
    summary: 'The teams of a cluster with their quotas, by name',
    access: 'viewer',
    params: clusterParams,
    response: z.object({
      tenants: z.array(
        z.object({
          name: z.string(),
          createdAt: time,
          isBeingRemoved: z.boolean(),
          /** Without a quota, an administrator has removed it. */
          quota: z.object({ cpu: z.string(), memory: z.string(), volumes: z.string(), pods: z.int() }).exactOptional(),
        }),
      ),
    }),
  },
  createTenant: {
    method: 'PUT',
    path: '/v1/clusters/:cluster/tenants/:tenant',
    summary: 'Creates a namespace for a team that delivers by itself: service account, permissions, quota',
    access: 'operator',
    params: clusterParams.extend({ tenant: name }),
    body: z.strictObject({
      cpu: quantity.default('4'),
      memory: quantity.default('8Gi'),
      volumes: quantity.default('20Gi'),
      pods: z.int().min(1).max(10_000).default(50),
    }),
    audited: ['cpu', 'memory', 'volumes', 'pods'],
    response: z.object({ tenant: z.string(), objects: z.array(z.string()), example: z.string() }),
  },
  removeTenant: {
    method: 'DELETE',
    path: '/v1/clusters/:cluster/tenants/:tenant',
    summary: 'Removes a team: its namespace with everything in it',
    access: 'operator',
    params: clusterParams.extend({ tenant: name }),
    response: none,
  },
  stopCluster: {
    method: 'POST',
    path: '/v1/clusters/:cluster/stop',
    summary: 'Starts an operation that stops the machines of a cluster; they keep all data',
    access: 'operator',
    params: clusterParams,
    response: operation,
  },
  startCluster: {
    method: 'POST',
    path: '/v1/clusters/:cluster/start',
    summary: 'Starts an operation that starts the machines of a cluster and waits until the cluster is ready',
    access: 'operator',
    params: clusterParams,
    response: operation,
  },
  destroyCluster: {
    method: 'DELETE',
    path: '/v1/clusters/:cluster',
    summary: 'Starts an operation that removes a cluster with its machines, network, certificates and documents',
    access: 'operator',
    params: clusterParams,
    response: operation,
  },
  kubeconfig: {
    method: 'POST',
    path: '/v1/clusters/:cluster/kubeconfig',
    summary:
      'Issues a client certificate for the API of a cluster, with the permissions of the role, valid for one hour',
    access: 'viewer',
    params: clusterParams,
    response: z.object({
      server: z.string(),
      authority: z.string(),
      certificate: z.string(),
      key: z.string(),
      user: z.string(),
    }),
  },
  runAgents: {
    method: 'POST',
    path: '/v1/clusters/:cluster/runs',
    summary: 'Starts an operation that runs the agents of all nodes of a cluster in parallel',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ isNoop: z.boolean().default(false) }),
    audited: ['isNoop'],
    response: operation,
  },
} as const satisfies Contract;
