import { modules, type PlanFacts, renderValue } from '@nova-platform/api';
import type { KubernetesObject } from '@nova-platform/kubernetes';
import type { ClusterPlan } from '@nova-platform/plan';
import { commonValues, moduleLabel, moduleValues, namespace, watchLabel } from './names.ts';

export interface Site {
  clusterId: string;
  /** For example `hub:5000/nova`. */
  imageRepository: string;
}

/** The values for the manifests of all modules; the keys are fixed. */
export function commonValuesOf({ cluster, declared, dns, nodes }: ClusterPlan, site: Site): KubernetesObject {
  return values(commonValues, {
    clusterId: site.clusterId,
    controlPlaneTopology: cluster.topology,
    dnsBaseDomain: dns.baseDomain,
    imageRepository: site.imageRepository,
    infraNodesCount: String(nodes.filter(({ roles }) => roles.includes('infra')).length),
    k8sDefaultDnsZone: declared.clusterConfiguration.k8sDefaultDnsZone,
    mirrorRepoType: 'universe',
  });
}

/** Further values for the manifests of one module; none for modules that declare no values. */
export function moduleValuesOf(
  plan: PlanFacts,
  { name, settings }: ClusterPlan['modules'][number],
): KubernetesObject | undefined {
  const declared = Object.entries(modules.find((each) => each.name === name)?.values ?? {});
  if (declared.length === 0) return undefined;
  const own = Object.fromEntries(declared.map(([key, value]) => [key, renderValue(value, { settings, plan })]));
  return values(moduleValues(name), own, { [moduleLabel]: name });
}

export function values(
  name: string,
  data: Record<string, string>,
  labels: Record<string, string> = {},
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { ...watchLabel, ...labels } },
    data,
  };
}
