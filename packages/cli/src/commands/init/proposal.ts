import { freeNodeNetwork } from '@nova-platform/api';
import { siteNetworks } from '@nova-platform/plan';
import type { UniverseClusters } from '../../clusters.ts';

/** The defaults of a new manifest. */
export interface Proposal {
  domain: string;
  nodeNetwork: string;
}

/** A base domain and a node network that no other cluster has. */
export function proposalBeside(known: UniverseClusters | undefined): Proposal {
  const taken = known?.plans.map(({ cluster, declared }) => ({ name: cluster.name, ...declared.clusterConfiguration }));
  const isTaken = (name: string) => taken?.some((each) => each.name === name || each.dnsBaseDomain === domainOf(name));
  let name = 'demo';
  for (let number = 2; isTaken(name); number += 1) name = `demo-${number}`;
  const networks = [...(taken ?? []).map(({ nodeNetwork }) => nodeNetwork), ...siteNetworksOf(known)];
  return { domain: domainOf(name), nodeNetwork: freeNodeNetwork(networks) };
}

function domainOf(name: string): string {
  return `${name}.nova.local`;
}

function siteNetworksOf(known: UniverseClusters | undefined): string[] {
  return known ? siteNetworks(known.site).map(({ network }) => network) : [];
}
