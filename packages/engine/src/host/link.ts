import { defaultSite } from '@nova-platform/plan';

export const linkMtu = 1500;

/** Networks whose packets never leave this box, also while nothing of ours runs. */
export const guardedNetworks: readonly string[] = [
  defaultSite.external.network,
  defaultSite.integration.network,
  defaultSite.transit.network,
];
