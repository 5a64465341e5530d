import { type Infrastructure, ipv4 } from '@nova-platform/api';
import type { ClusterPlan } from './cluster-plan.ts';

/** Fixed addresses of the service network. */
export function planServices({ spec }: Infrastructure): ClusterPlan['services'] {
  const { podNetwork, serviceNetwork } = spec.clusterConfiguration;
  const { first, last } = ipv4.parseNetwork(serviceNetwork);
  return {
    podNetwork,
    serviceNetwork,
    kubernetes: ipv4.formatAddress(first + 1),
    kubeDns: ipv4.formatAddress(first + 10),
    novaDns: ipv4.formatAddress(last - 1),
  };
}
