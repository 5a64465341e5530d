import { customResourceDefinition, kinds, modules } from '@nova-platform/api';
import { type ClusterPlan, coreImageOf } from '@nova-platform/plan';
import { accessObjects } from './access.ts';
import { admissionPolicies } from './admission-policies.ts';
import { coreDns } from './core-dns.ts';
import type { KubernetesObject } from './kubernetes-api.ts';

/** Objects that a new cluster needs before Flux can deliver the rest. */
export function clusterObjects(plan: ClusterPlan, registry: string): KubernetesObject[] {
  return [
    ...accessObjects(),
    ...admissionPolicies(),
    ...kinds.map((kind) => customResourceDefinition(kind) as unknown as KubernetesObject),
    ...coreDns(plan, coreImageOf(plan, registry, 'coredns')),
    ...reservedServices(plan),
  ];
}

/** The Services of the cluster's modules that have fixed addresses. */
function reservedServices(plan: ClusterPlan): KubernetesObject[] {
  return modules.flatMap(({ name: module, namespace, reservedService }) => {
    if (!reservedService || !plan.modules.some(({ name }) => name === module)) return [];
    const { name, address, selector, ports } = reservedService;
    return [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, namespace },
        spec: { clusterIP: plan.services[address], selector, ports },
      },
    ];
  });
}
