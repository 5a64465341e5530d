import { dnsMode, type Infrastructure } from '@nova-platform/api';
import type { ClusterPlan, PlannedNode, PlannedZone } from './cluster-plan.ts';

/** Who answers for which zone. */
export function planDns(document: Infrastructure, nodes: readonly PlannedNode[], novaDns: string): ClusterPlan['dns'] {
  const { dnsBaseDomain, k8sDefaultDnsZone, extraOptions, delivery } = document.spec.clusterConfiguration;
  const { enable, forwardZones, servers } = extraOptions.dns.customerDns;
  const mode = dnsMode(document);
  const infra = nodes
    .filter((node) => node.roles.includes('infra'))
    .map((node) => node.externalAddress ?? node.address);

  const base: PlannedZone = {
    name: dnsBaseDomain,
    answeredBy: 'nova-dns',
    servers: [novaDns],
    records: [
      { name: '@', type: 'A', values: infra },
      { name: '*', type: 'CNAME', values: [`${dnsBaseDomain}.`] },
    ],
  };
  return {
    mode,
    baseDomain: dnsBaseDomain,
    zones: [
      { name: k8sDefaultDnsZone, answeredBy: 'coredns' },
      // Without modules there is nobody who would answer for it.
      ...(mode === 'internal' && delivery !== 'none' ? [base] : []),
      ...(enable ? forwardZones : []).map(
        ({ name, server }): PlannedZone => ({ name, answeredBy: 'forward', servers: [server] }),
      ),
      { name: '.', answeredBy: 'forward', servers: enable && servers.length > 0 ? servers : ['/etc/resolv.conf'] },
    ],
  };
}
