import { infrastructure, ipv4, kindSchema, schemaAt } from '@nova-platform/api';
import { siteNetworks } from '@nova-platform/plan';
import type { UniverseClusters } from '../../clusters.ts';

/** The defaults of a new manifest. */
export interface Proposal {
  domain: string;
  nodeNetwork: string;
}

const mostNetworks = 1000;

/** A base domain and a node network that no other cluster has. */
export function proposalBeside(known: UniverseClusters | undefined): Proposal {
  const taken = known?.plans.map(({ cluster, declared }) => ({ name: cluster.name, ...declared.clusterConfiguration }));
  const isTaken = (name: string) => taken?.some((each) => each.name === name || each.dnsBaseDomain === domainOf(name));
  let name = 'demo';
  for (let number = 2; isTaken(name); number += 1) name = `demo-${number}`;
  const networks = [...(taken ?? []).map(({ nodeNetwork }) => nodeNetwork), ...siteNetworksOf(known)];
  return { domain: domainOf(name), nodeNetwork: freeNetwork(networks) };
}

function domainOf(name: string): string {
  return `${name}.nova.local`;
}

function siteNetworksOf(known: UniverseClusters | undefined): string[] {
  return known ? siteNetworks(known.site).map(({ network }) => network) : [];
}

/** The default network, or the next one of its size that overlaps no other. */
function freeNetwork(taken: readonly string[]): string {
  const usual = String(schemaAt(kindSchema(infrastructure), ['spec', 'clusterConfiguration', 'nodeNetwork'])?.default);
  const ranges = taken.map(ipv4.parseNetwork);
  const first = ipv4.parseNetwork(usual);
  const size = first.last - first.first + 1;
  for (let index = 0; index < mostNetworks; index += 1) {
    const shift = index * size;
    const candidate = { first: first.first + shift, last: first.last + shift, prefix: first.prefix };
    if (ranges.every((range) => !ipv4.overlaps(range, candidate))) return ipv4.formatNetwork(candidate);
  }
  return usual;
}
