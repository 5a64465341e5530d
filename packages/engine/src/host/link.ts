import { defaultSite } from '@nova-platform/plan';

export const linkMtu = 1500;

/** Networks of the site whose packets never leave this box; those that users make are added. */
export const guardedNetworks: readonly string[] = [
  defaultSite.external.network,
  defaultSite.integration.network,
  defaultSite.transit.network,
];

/** The host's own place in the external network. */
export function hostLink(networks: readonly string[]) {
  const { network, gateway } = defaultSite.external;
  return {
    address: gateway,
    prefix: Number(network.split('/')[1]),
    mtu: linkMtu,
    guard: [...guardedNetworks, ...networks],
  };
}
