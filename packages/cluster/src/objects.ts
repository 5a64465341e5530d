import { customResourceDefinition, kinds } from '@nova-platform/api';
import { type ClusterPlan, type PlannedNode, programsOf } from '@nova-platform/plan';
import { coreDns } from './core-dns.ts';
import type { KubernetesObject } from './kubernetes-api.ts';

/** People whom Universe lets administer a cluster are in this group. */
export const administrators = 'nova:administrators';

/** What a new cluster needs before Flux can bring the rest. */
export function clusterObjects(plan: ClusterPlan, registry: string): KubernetesObject[] {
  return [
    binding('nova:kubelet-api', 'system:kubelet-api-admin', { kind: 'User', name: 'kube-apiserver-kubelet-client' }),
    binding('nova:administrators', 'cluster-admin', { kind: 'Group', name: administrators }),
    ...kinds.map((kind) => customResourceDefinition(kind) as unknown as KubernetesObject),
    ...coreDns(plan, `${registry}/nova/coredns:${programsOf(plan.cluster.kubernetesVersion).coredns}`),
  ];
}

/** A node may not give itself a role: it could take work that is not its own. */
export function nodeObject({ name, labels }: PlannedNode): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
}

function binding(name: string, role: string, subject: { kind: string; name: string }): KubernetesObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', ...subject }],
  };
}
