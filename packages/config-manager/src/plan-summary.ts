import type { ClusterPlan } from '@nova-platform/plan';

/** Fields that are read from all plans at once. They are stored next to each plan, because plans are large. */
export interface PlanSummary {
  cluster: string;
  /** The base domain of the cluster, and its DNS servers. */
  zone?: { name: string; servers: string[] };
  /** The release that its modules come from. */
  release?: string;
}

const mostServers = 10;

export function summaryOf({ cluster, dns, nodes, release, modules }: ClusterPlan): PlanSummary {
  const base = dns.zones.find(({ name }) => name === dns.baseDomain);
  const infra = nodes.filter(({ roles }) => roles.includes('infra')).map(({ address }) => address);
  const servers = base?.answeredBy === 'nova-dns' ? infra.slice(0, mostServers) : (base?.servers ?? []);
  return {
    cluster: cluster.name,
    ...(base && { zone: { name: base.name, servers } }),
    ...(release !== undefined && modules.length > 0 && { release }),
  };
}
