import type { Site } from '@nova-platform/plan';

export const linkMtu = 1500;

/** Networks of the site whose packets must never leave this host. */
export function guardedNetworks({ external, integration, transit }: Site): string[] {
  return [external.network, integration.network, transit.network];
}

/** The host's own address in the external network. Networks of users are guarded like those of the site. */
export function hostLink(site: Site, networks: readonly string[]) {
  const { network, gateway } = site.external;
  return {
    address: gateway,
    prefix: Number(network.split('/')[1]),
    mtu: linkMtu,
    guard: [...guardedNetworks(site), ...networks],
  };
}
