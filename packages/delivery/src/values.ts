import { createHash } from 'node:crypto';
import { novaDnsFiles } from '@nova-platform/dns';
import type { KubernetesObject } from '@nova-platform/kubernetes';
import type { ClusterPlan } from '@nova-platform/plan';
import { commonValues, moduleLabel, moduleValues, namespace, watchLabel } from './names.ts';

export interface Site {
  clusterId: string;
  /** `hub:5000/nova` */
  imageRepository: string;
}

/** What manifests of all modules may ask for; the keys are fixed. */
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

/** What one module asks for beside that; nothing for most. */
export function moduleValuesOf(
  plan: ClusterPlan,
  { name, settings }: ClusterPlan['modules'][number],
): KubernetesObject | undefined {
  const own = valuesByModule[name]?.(plan, settings);
  return own && values(moduleValues(name), own, { [moduleLabel]: name });
}

const valuesByModule: Record<string, (plan: ClusterPlan, settings: Record<string, unknown>) => Record<string, string>> =
  {
    ingress: ({ nodes }) => {
      const isShared = nodes.some(({ roles }) => roles.includes('infra') && roles.includes('ingress'));
      return { infraIngressClass: isShared ? '' : 'nova-infra', infraNginxClass: isShared ? 'nginx' : 'none' };
    },
    'nova-dns': ({ dns, services }) => {
      const { records = [] } = dns.zones.find(({ answeredBy }) => answeredBy === 'nova-dns') ?? {};
      const { corefile, zone } = novaDnsFiles({ name: dns.baseDomain, records });
      return {
        novaDns: services.novaDns,
        corefile: quoted(corefile),
        zone: quoted(zone),
        zoneDigest: quoted(createHash('sha256').update(corefile).update(zone).digest('hex').slice(0, 12)),
      };
    },
    'local-path': (_plan, { path, defaultClass }) => ({
      volumesPath: String(path),
      isDefaultClass: quoted(String(defaultClass)),
    }),
    'metrics-server': (_plan, { resolutionSeconds }) => ({ resolutionSeconds: String(resolutionSeconds) }),
  };

/** A value that stands alone in a manifest: a text of several lines stays one, and `true` a text. */
function quoted(text: string): string {
  return JSON.stringify(text);
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
