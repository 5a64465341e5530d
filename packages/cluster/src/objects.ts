import { customResourceDefinition, kinds } from '@nova-platform/api';
import { type ClusterPlan, coreImageOf, type PlannedNode } from '@nova-platform/plan';
import { accessObjects } from './access.ts';
import { admissionPolicies } from './admission-policies.ts';
import { coreDns } from './core-dns.ts';
import type { KubernetesObject } from './kubernetes-api.ts';

/** What a new cluster needs before Flux can bring the rest. */
export function clusterObjects(plan: ClusterPlan, registry: string): KubernetesObject[] {
  return [
    ...accessObjects(),
    ...admissionPolicies(),
    ...kinds.map((kind) => customResourceDefinition(kind) as unknown as KubernetesObject),
    ...coreDns(plan, coreImageOf(plan, registry, 'coredns')),
  ];
}

/** A node may not give itself a role: it could take work that is not its own. */
export function nodeObject({ name, labels }: PlannedNode): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
}
