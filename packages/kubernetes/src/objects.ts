import { customResourceDefinition, kinds } from '@nova-platform/api';
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
    ...novaDns(plan),
  ];
}

/**
 * Reserves the address of the module nova-dns: Kubernetes assigns all but the lowest addresses at random. Flux adopts
 * the Service with the module.
 */
function novaDns({ modules, services }: ClusterPlan): KubernetesObject[] {
  const name = 'nova-dns';
  if (!modules.some((module) => module.name === name)) return [];
  const ports = [
    { name: 'dns', port: 53, protocol: 'UDP', targetPort: 1053 },
    { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 1053 },
  ];
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: name },
      spec: { clusterIP: services.novaDns, selector: { app: name }, ports },
    },
  ];
}
