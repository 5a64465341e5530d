import type { ClusterPlan, PlannedNode } from '@nova-platform/plan';
import type { Denied } from './pieces/kubernetes/authorization.ts';

/** Facts that the agent reported. Undefined for a node that has not reported yet. */
export type Facts = Readonly<Record<string, unknown>>;

export interface Credentials {
  username: string;
  password: string;
}

/** Secrets of a cluster: part of its documents, but never of its plan. */
export interface ClusterSecrets {
  proxy?: { http?: Credentials | undefined; https?: Credentials | undefined } | undefined;
}

/** All inputs of a node's catalog. */
export interface NodeInput {
  plan: ClusterPlan;
  node: PlannedNode;
  facts?: Facts | undefined;
  secrets: ClusterSecrets;
  /** The address of the Configuration Manager, and the CA that verifies it. */
  manager: Manager;
  /** Certificates (PEM) of the cluster's CAs by name. */
  authorities: Readonly<Record<string, string>>;
  /** Identities of revoked nodes, which the API denies. */
  denied: Denied;
}

export interface Manager {
  name: string;
  address: string;
  port: number;
  /** The image registry of nodes, as `name:port`. */
  registry: string;
  /** Intermediate and root certificate, PEM. */
  authority: string;
  /** Fingerprint of the CA bundle that agents fetch first, over an unverified connection. */
  fingerprint: string;
}

/** Computes a result once per plan if it is the same for all nodes. */
export function oncePerPlan<Result>(work: (plan: ClusterPlan) => Result): (plan: ClusterPlan) => Result {
  const results = new WeakMap<ClusterPlan, { result: Result }>();
  return (plan) => {
    const known = results.get(plan) ?? { result: work(plan) };
    results.set(plan, known);
    return known.result;
  };
}

/** Values of `virtual` for machines that share the kernel of their host. */
const containers = ['container_other', 'docker', 'lxc', 'openvz', 'podman', 'systemd_nspawn', 'crio'];

/** Whether the node shares the kernel of its host. Then it must not change kernel modules and global settings. */
export function sharesKernel(facts: Facts | undefined): boolean {
  return typeof facts?.virtual === 'string' && containers.includes(facts.virtual);
}
