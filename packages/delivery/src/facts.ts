import { createHash } from 'node:crypto';
import type { PlanFacts } from '@nova-platform/api';
import { novaDnsFiles } from '@nova-platform/dns';
import type { ClusterPlan } from '@nova-platform/plan';

/** The facts of a plan that modules can use; docs/delivery.md lists them for module authors. */
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
