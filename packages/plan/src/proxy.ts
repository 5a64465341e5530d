import type { ProxyDocument } from '@nova-platform/api';
import type { ClusterPlan } from './cluster-plan.ts';
import { apiName, type Site, universeNames } from './site.ts';

/** The proxy for nodes, without credentials; connections within the cluster bypass it. */
export function planProxy(
  { spec }: ProxyDocument,
  { cluster, services, network, dns, api }: Pick<ClusterPlan, 'cluster' | 'services' | 'network' | 'dns' | 'api'>,
  site: Site,
): NonNullable<ClusterPlan['proxy']> {
  const nodeNetwork = network.kind === 'sdn' ? network.service.network : network.network;
  const own = [
    'localhost',
    '127.0.0.0/8',
    nodeNetwork,
    services.podNetwork,
    services.serviceNetwork,
    site.integration.network,
    ...universeNames(site),
    api.externalAddress,
    apiName(cluster.name, site),
    ...(api.fqdn ? [api.fqdn] : []),
    '.svc',
    `.${dns.baseDomain}`,
    ...dns.zones.filter((zone) => zone.answeredBy !== 'forward').map((zone) => `.${zone.name}`),
  ];
  const declared = spec.noProxy?.split(',').map((entry) => entry.trim()) ?? [];
  return {
    ...(spec.httpProxy && { http: address(spec.httpProxy) }),
    ...(spec.httpsProxy && { https: address(spec.httpsProxy) }),
    noProxy: [...new Set([...own, ...declared])],
    ...(spec.trustedCA && { trustedCA: spec.trustedCA }),
  };
}

function address({ server, port }: { server: string; port?: number | undefined }): string {
  return port === undefined ? server : `${server}:${port}`;
}
