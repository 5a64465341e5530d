import type { ClusterPlan, PlannedNode } from '@nova-platform/plan';
import type { Denied } from './pieces/kubernetes/authorization.ts';

/** What the agent found on its node; nothing is known of a node that has not been seen yet. */
export type Facts = Readonly<Record<string, unknown>>;

export interface Credentials {
  username: string;
  password: string;
}

/** Secrets of a cluster that its documents hold and its plan must not. */
export interface ClusterSecrets {
  proxy?: { http?: Credentials | undefined; https?: Credentials | undefined } | undefined;
}

/** Everything a node's catalog follows from. */
export interface NodeInput {
  plan: ClusterPlan;
  node: PlannedNode;
  facts?: Facts | undefined;
  secrets: ClusterSecrets;
  /** Where nodes find the Configuration Manager, and by which authority they know it. */
  manager: Manager;
  /** Certificates (PEM) of the cluster's authorities by name. */
  authorities: Readonly<Record<string, string>>;
  /** What the API refuses of revoked nodes. */
  denied: Denied;
}

export interface Manager {
  name: string;
  address: string;
  port: number;
  /** Where nodes pull images from, as `name:port`. */
  registry: string;
  /** Issuing and root certificate, PEM. */
  authority: string;
  /** Of the bytes that agents fetch first, over a connection they cannot verify yet. */
  fingerprint: string;
}

/** What is the same for all nodes of a plan is worked out once, and not for every node again. */
export function oncePerPlan<Result>(work: (plan: ClusterPlan) => Result): (plan: ClusterPlan) => Result {
  const results = new WeakMap<ClusterPlan, { result: Result }>();
  return (plan) => {
    const known = results.get(plan) ?? { result: work(plan) };
    results.set(plan, known);
    return known.result;
  };
}

/** Kinds of `virtual` that share their host's kernel. */
const containers = ['container_other', 'docker', 'lxc', 'openvz', 'podman', 'systemd_nspawn', 'crio'];

/** Whether the kernel is another's, whose modules and global settings are not this node's to change. */
export function sharesKernel(facts: Facts | undefined): boolean {
  return typeof facts?.virtual === 'string' && containers.includes(facts.virtual);
}
