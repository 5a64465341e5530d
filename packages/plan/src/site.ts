import {
  defaultNetworks,
  type Environment,
  formats,
  formatted,
  ipv4,
  type Problem,
  problem,
  type Text,
} from '@nova-platform/api';
import { z } from 'zod';

/** The addresses that are chosen when a site is set up. All other addresses are derived from them. */
export const siteAddresses = z.strictObject({
  /** Connects the routers of clusters with the host. */
  externalNetwork: formatted('network').default('172.30.0.0/16'),
  /** The network of Universe. */
  integrationNetwork: formatted('network').default('10.255.0.0/24'),
  /** Connects the routers of all clusters. */
  transitNetwork: formatted('network').default('100.64.0.0/16'),
  /** The DNS zone of the platform's own names. */
  domain: formatted('domain').default('nova.internal'),
});

export type SiteAddresses = z.output<typeof siteAddresses>;

export const defaultAddresses: SiteAddresses = siteAddresses.parse({});

/** The platform's own networks and the addresses of Universe in them: the same for all clusters of a site. */
export interface Site {
  domain: string;
  universe: { name: string; address: string; externalAddress: string };
  /** The router translates Universe's address to the external address. */
  integration: { network: string; router: string; externalAddress: string };
  /** Connects the routers of all clusters; the integration router has its first address. */
  transit: { network: string; integrationRouter: string };
  /** Connects the clusters of this host with the host. */
  external: { network: string; gateway: string; addresses: string[] };
  /** The lifetime of service certificates; they are renewed when a third of it is left. */
  certificateHours: number;
  /** The lifetime of the certificates that identify nodes. */
  identityHours: number;
}

export function siteOf({ externalNetwork, integrationNetwork, transitNetwork, domain }: SiteAddresses): Site {
  const external = (offset: number) => addressIn(externalNetwork, offset);
  return {
    domain,
    universe: {
      name: `universe.${domain}`,
      address: addressIn(integrationNetwork, 10),
      externalAddress: external(10),
    },
    integration: {
      network: integrationNetwork,
      router: addressIn(integrationNetwork, 1),
      externalAddress: external(2),
    },
    transit: { network: transitNetwork, integrationRouter: addressIn(transitNetwork, 1) },
    external: { network: externalNetwork, gateway: external(1), addresses: [`${external(16)}-${external(-1)}`] },
    certificateHours: 30 * 24,
    identityHours: 10 * 365 * 24,
  };
}

/** The chosen addresses of a site. */
export function addressesOf({ external, integration, transit, domain }: Site): SiteAddresses {
  return {
    externalNetwork: external.network,
    integrationNetwork: integration.network,
    transitNetwork: transit.network,
    domain,
  };
}

export const defaultSite: Site = siteOf(defaultAddresses);

/** Counts from the first address of the network, or from its last if negative. */
function addressIn(network: string, offset: number): string {
  const { first, last } = ipv4.parseNetwork(network);
  return ipv4.formatAddress(offset < 0 ? last + offset : first + offset);
}

export function siteNetworks({ integration, transit, external }: Site): Environment['siteNetworks'] {
  return [
    { name: 'integration', network: integration.network },
    { name: 'transit', network: transit.network },
    { name: 'external', ...external },
  ];
}

/** The name under which nodes reach the API of their cluster, independent of its address. */
export function apiName(cluster: string, { domain }: Site): string {
  return `api.${cluster}.${domain}`;
}

/** The zones that contain names of the platform. */
export function siteZones({ domain }: Site): Environment['siteZones'] {
  return [domain];
}

/** Names under which nodes reach Universe's services. */
export function universeNames({ universe }: Site): string[] {
  return [universe.name, ...['config', 'git', 'hub'].map((service) => `${service}.${universe.name}`)];
}

export interface NamedNetwork {
  name: string | Text;
  network: string;
}

/** The default networks of clusters. */
export const usualClusterNetworks: readonly NamedNetwork[] = Object.entries(defaultNetworks).map(([name, network]) => ({
  name,
  network,
}));

const reserved: readonly NamedNetwork[] = [
  { name: { en: 'this network', ru: '«эта сеть»' }, network: '0.0.0.0/8' },
  { name: { en: 'loopback', ru: 'loopback' }, network: '127.0.0.0/8' },
  { name: { en: 'link-local addresses', ru: 'локальные адреса канала' }, network: '169.254.0.0/16' },
  { name: { en: 'multicast and reserved addresses', ru: 'multicast и резерв' }, network: '224.0.0.0/3' },
];

/** Universe is the tenth address of two networks, and clusters start at the sixteenth of the external one. */
const prefixes = {
  externalNetwork: [8, 26],
  integrationNetwork: [8, 28],
  transitNetwork: [8, 28],
} as const;
const networkFields = ['externalNetwork', 'integrationNetwork', 'transitNetwork'] as const;

/** `universe.` and `config.universe.` precede it; a DNS name has at most 253 characters. */
const longestDomain = 200;

/** Finds all problems of the addresses themselves, and overlaps with networks in use. */
export function siteProblems(addresses: SiteAddresses, taken: readonly NamedNetwork[]): Problem[] {
  const wellFormed = wellFormedNetworks(addresses);
  const malformed = networkFields.filter((field) => !wellFormed.includes(field));
  return [
    ...malformed.map((field) => problem('NOVA2009', { expected: formats.network.expected }, [field])),
    ...domainProblems(addresses.domain),
    ...wellFormed.flatMap((field, index) => [
      ...sizeProblems(field, addresses[field]),
      ...overlapping(
        addresses[field],
        [
          ...wellFormed.slice(0, index).map((other) => ({ name: other, network: addresses[other] })),
          ...reserved,
          ...taken,
        ],
        ({ name, network }) => problem('NOVA7022', { network: addresses[field], other: network, name }, [field]),
      ),
    ]),
  ];
}

function wellFormedNetworks(addresses: SiteAddresses) {
  return networkFields.filter((field) => formatted('network').safeParse(addresses[field]).success);
}

function domainProblems(domain: string): Problem[] {
  const isDomain = formatted('domain').safeParse(domain).success && domain.includes('.');
  if (isDomain && domain.length <= longestDomain) return [];
  return [problem('NOVA2009', { expected: formats.domain.expected }, ['domain'])];
}

function sizeProblems(field: keyof typeof prefixes, text: string): Problem[] {
  const network = ipv4.parseNetwork(text);
  const right = ipv4.formatNetwork(network);
  if (right !== text) return [problem('NOVA3004', { network: text, right }, [field])];
  const [shortest, longest] = prefixes[field];
  if (network.prefix >= shortest && network.prefix <= longest) return [];
  const size: Text = network.prefix > longest ? { en: 'small', ru: 'маленькая' } : { en: 'large', ru: 'большая' };
  return [problem('NOVA3006', { network: text, size, field, shortest, longest }, [field])];
}

/** A route or an address of the host. */
export interface HostNetwork {
  network: string;
  /** The line of `ip`, for messages. */
  shown: string;
}

/** Finds the networks of a site that overlap with existing routes of the host. */
export function hostOverlaps(addresses: SiteAddresses, host: readonly HostNetwork[]): Problem[] {
  return wellFormedNetworks(addresses).flatMap((field) =>
    overlapping(addresses[field], host, ({ shown }) =>
      problem('NOVA7090', { field, network: addresses[field], shown }, [field]),
    ),
  );
}

function overlapping<T extends { network: string }>(
  network: string,
  others: readonly T[],
  found: (other: T) => Problem,
): Problem[] {
  const own = ipv4.parseNetwork(network);
  return others.filter((other) => ipv4.overlaps(own, ipv4.parseNetwork(other.network))).map(found);
}

/** Finds the addresses that differ from those of the site's setup. */
export function changedAddresses(kept: SiteAddresses, given: Partial<SiteAddresses>): Problem[] {
  return Object.entries(given)
    .filter(([field, value]) => value !== kept[field as keyof SiteAddresses])
    .map(([field, value]) => problem('NOVA7091', { field, value, kept: kept[field as keyof SiteAddresses] }, [field]));
}
