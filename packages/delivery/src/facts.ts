import { createHash } from 'node:crypto';
import type { PlanFacts } from '@nova-platform/api';
import { novaDnsFiles } from '@nova-platform/dns';
import type { ClusterPlan } from '@nova-platform/plan';

/** What modules can take from a plan; docs/delivery.md lists it for their authors. */
export function factsOf({ dns, nodes, services }: ClusterPlan): PlanFacts {
  const { records = [] } = dns.zones.find(({ answeredBy }) => answeredBy === 'nova-dns') ?? {};
  const { corefile, zone } = novaDnsFiles({ name: dns.baseDomain, records });
  return {
    isIngressShared: nodes.some(({ roles }) => roles.includes('infra') && roles.includes('ingress')),
    novaDnsAddress: services.novaDns,
    novaDnsCorefile: corefile,
    novaDnsDigest: createHash('sha256').update(corefile).update(zone).digest('hex').slice(0, 12),
    novaDnsZone: zone,
  };
}
