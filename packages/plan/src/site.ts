import type { Surroundings } from '@nova-platform/api';

/** The platform's own networks and where Universe is in them: the same for all clusters of a site. */
export interface Site {
  universe: { name: string; address: string; externalAddress: string };
  /** Its router hides it behind the external address. */
  integration: { network: string; router: string; externalAddress: string };
  /** Joins the routers of all clusters; the integration router has its first address. */
  transit: { network: string; integrationRouter: string };
  /** Where the clusters of this box meet the host. */
  external: { network: string; gateway: string; addresses: string[] };
  /** How long certificates of services are good; they are renewed with a third of it left. */
  certificateHours: number;
  /** The same for the certificates by which nodes themselves are known. */
  identityHours: number;
}

export const defaultSite: Site = {
  universe: { name: 'universe.nova.internal', address: '10.255.0.10', externalAddress: '172.30.0.10' },
  integration: { network: '10.255.0.0/24', router: '10.255.0.1', externalAddress: '172.30.0.2' },
  transit: { network: '100.64.0.0/16', integrationRouter: '100.64.0.1' },
  external: { network: '172.30.0.0/16', gateway: '172.30.0.1', addresses: ['172.30.0.16-172.30.255.254'] },
  certificateHours: 30 * 24,
  identityHours: 10 * 365 * 24,
};

export function siteNetworks({ integration, transit, external }: Site): Surroundings['siteNetworks'] {
  return [
    { name: 'integration', network: integration.network },
    { name: 'transit', network: transit.network },
    { name: 'external', ...external },
  ];
}

const ownZone = 'nova.internal';

/** The name under which nodes know the API of their cluster, whatever its address. */
export function apiName(cluster: string): string {
  return `api.${cluster}.${ownZone}`;
}

/** Where the platform has names of its own. */
export function siteZones({ universe }: Site): Surroundings['siteZones'] {
  return [ownZone, universe.name];
}

/** Names under which nodes reach Universe's services. */
export function universeNames({ universe }: Site): string[] {
  return [universe.name, ...['config', 'git', 'hub'].map((service) => `${service}.${universe.name}`)];
}
