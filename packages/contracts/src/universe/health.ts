import { formatted } from '@nova-platform/api';
import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { machineStatus, networkView } from '../engine/views.ts';
import { clusterParams, finding, operationState, text, time } from './common.ts';
import { moduleView } from './modules.ts';

export const health = z.object({
  cluster: z.string(),
  state: z.enum(['ready', 'changing', 'stopped', 'degraded', 'failed']),
  kubernetesVersion: z.string(),
  /** The address of its API for users. */
  server: z.string(),
  cni: z.string(),
  enforcesNetworkPolicies: z.boolean(),
  /** The newest operation, except runs of agents. */
  operation: z
    .object({
      id: z.int(),
      kind: z.string(),
      title: text,
      state: operationState,
      failedStep: z.string().exactOptional(),
    })
    .exactOptional(),
  nodes: z.array(
    z.object({
      name: z.string(),
      roles: z.array(z.string()),
      address: z.string(),
      machine: z.enum(['running', 'stopped', 'deleting']).exactOptional(),
      /** Known only while the API responds. */
      isReady: z.boolean().exactOptional(),
      version: z.string().exactOptional(),
      lastRun: z.object({ at: time, status: z.enum(['unchanged', 'changed', 'failed']) }).exactOptional(),
      /** The number of changes in its next agent run, including those not approved yet. */
      pending: z.int().exactOptional(),
      endingCertificates: z.array(z.object({ name: z.string(), notAfter: time })),
      /** Packages of its image with missing security updates; known only after a check. */
      missingSecurityUpdates: z.array(z.string()).exactOptional(),
    }),
  ),
  /** Known only while the API responds. */
  modules: z
    .array(
      moduleView.pick({ name: true, state: true, reason: true }).extend({
        /** Not ready only because Flux has just started to reconcile it, as it does every few minutes. */
        isReconciling: z.boolean().exactOptional(),
      }),
    )
    .exactOptional(),
  /**
   * When each node and each leader of the control plane last renewed its lease; known only while the API responds. After
   * a crash or a stop, Kubernetes calls nodes and pods ready until their leases expire.
   */
  leases: z.record(z.string(), time).exactOptional(),
  /**
   * Lines for the hosts file of users whose DNS servers do not resolve the base domain; empty if the company's servers
   * do.
   */
  hosts: z.array(z.string()),
  /** Each chain leads from the symptom to the cause; the remedy of the last entry helps. */
  findings: z.array(finding),
});
const amounts = z.object({ cpu: z.number(), memoryBytes: z.number() });
/** A node as Kubernetes reports it. */
const kubernetesNode = z.object({
  conditions: z.array(z.object({ type: z.string(), isMet: z.boolean(), isGood: z.boolean(), message: z.string() })),
  /** Unschedulable: new pods go to other nodes. */
  isCordoned: z.boolean(),
  /** For pods. */
  allocatable: amounts.extend({ pods: z.int() }),
  /** The requests of its pods. */
  requested: amounts,
  /** Known only with the module metrics-server. */
  used: amounts.exactOptional(),
  pods: z.array(
    z.object({
      namespace: z.string(),
      name: z.string(),
      phase: z.string(),
      isReady: z.boolean(),
      restarts: z.int(),
      startedAt: time.exactOptional(),
      /** Why it is not ready. */
      reason: z.string().exactOptional(),
    }),
  ),
});
/** An event of a Kubernetes object. */
const kubernetesEvent = z.object({
  at: time,
  severity: z.enum(['normal', 'warning']),
  /** `Pod/kube-system/coredns-1` */
  object: z.string(),
  reason: z.string(),
  message: z.string(),
  /** The number of occurrences. */
  count: z.int(),
});
/** The actual state of a cluster's network; the plan has the desired one. */
export const network = networkView.omit({ names: true }).extend({
  router: networkView.shape.router.extend({
    ports: z.array(z.object({ network: z.string(), address: z.string() })),
  }),
  /** Ports of machines; `up` once the machine's link is plugged in. */
  ports: z.array(z.object({ name: z.string(), address: z.string(), up: z.boolean() })),
  machines: z.array(machineStatus.pick({ name: true, address: true, state: true })),
});

export const healthContract = {
  clusterHealth: {
    method: 'GET',
    path: '/v1/clusters/:cluster/health',
    summary: 'The state of a cluster, and its problems with their causes',
    access: 'viewer',
    params: clusterParams,
    response: health,
  },
  clusterNode: {
    method: 'GET',
    path: '/v1/clusters/:cluster/nodes/:node',
    summary: 'A node as Kubernetes reports it: conditions, resources and pods; nothing if it has not joined',
    access: 'viewer',
    params: clusterParams.extend({ node: formatted('domain', 253) }),
    response: z.object({ node: kubernetesNode.exactOptional() }),
  },
  clusterEvents: {
    method: 'GET',
    path: '/v1/clusters/:cluster/events',
    summary: 'Kubernetes events of a cluster, newest first',
    access: 'viewer',
    params: clusterParams,
    response: z.object({ events: z.array(kubernetesEvent) }),
  },
  clusterNetwork: {
    method: 'GET',
    path: '/v1/clusters/:cluster/network',
    summary: 'The actual network of a cluster with its machines; absent if the engine has none',
    access: 'viewer',
    params: clusterParams,
    response: z.object({ network: network.optional() }),
  },
} as const satisfies Contract;
