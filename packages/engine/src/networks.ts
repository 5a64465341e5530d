import { join } from 'node:path';
import { ipv4, type Problem, ProblemError, problem } from '@nova-platform/api';
import { integrationName, type PlannedRouter, undeclaredPorts } from '@nova-platform/contracts/engine';
import { allocate, type Site, siteNetworks } from '@nova-platform/plan';
import type { ClusterNetwork, Published, Topology } from '@nova-platform/sdn';
import { namesIn, readRecord, recordIn, removeRecord, writeRecord } from './files.ts';
import type { MachineRecord } from './machines/record.ts';
import { paths } from './paths.ts';

/** The desired state of a network, without its ports, which follow from the machines. */
export type NetworkRecord = Omit<ClusterNetwork, 'ports'> & { wanted: 'present' | 'gone' };

/** The network of Universe, which always exists. */
export function integrationNetwork({ integration, transit, external, universe }: Site): NetworkRecord {
  return {
    name: integrationName,
    network: integration.network,
    gateway: integration.router,
    router: {
      name: integrationName,
      externalAddress: integration.externalAddress,
      transitAddress: transit.integrationRouter,
    },
    externalGateway: external.gateway,
    names: [{ name: universe.name, addresses: [universe.address] }],
    published: [
      {
        externalAddress: universe.externalAddress,
        address: universe.address,
        // API and console, Configuration Manager, registry.
        ports: ['443/tcp', '8140/tcp', '5000/tcp'],
      },
    ],
    loadBalancers: [],
    wanted: 'present',
  };
}

const folder = join(paths.state, 'networks');

/** The API and etcd of clusters on existing hosts. */
const existingHostPorts = ['6443/tcp', '2379/tcp'];
const reservedNames = [integrationName, 'transit', 'external'];
// Leaves room for the gateway, the load balancer, the source of health checks and some spare addresses.
const firstMachineOffset = 10;

type Recorded = Omit<Published, 'ports'> & Partial<Published>;

export async function readNetworks(): Promise<NetworkRecord[]> {
  const files = (await namesIn(folder)).filter((name) => name.endsWith('.json'));
  const records = await Promise.all(files.map((file) => readRecord<NetworkRecord>(join(folder, file))));
  return records
    .filter((record) => record !== undefined)
    .map((record) => ({
      ...record,
      published: record.published.map(({ ports = undeclaredPorts, ...one }: Recorded) => ({ ...one, ports })),
    }));
}

export function writeNetwork(record: NetworkRecord): Promise<void> {
  return writeRecord(recordIn(folder, record.name), record);
}

export function removeNetwork(name: string): Promise<void> {
  return removeRecord(recordIn(folder, name));
}

/**
 * Plans a new network with its own addresses in the external and transit networks: from their end, because plans of
 * clusters, which do not know this network, take theirs from the start.
 */
export function planNetwork(
  site: Site,
  name: string,
  network: string,
  existing: readonly NetworkRecord[],
  router?: PlannedRouter,
): NetworkRecord {
  const parsed = ipv4.parseNetwork(network);
  const problems: Problem[] = [];
  if (reservedNames.includes(name) || existing.some((each) => each.name === name))
    problems.push(problem('NOVA7021', { kind: { en: 'network', ru: 'сеть' }, name }));
  if (ipv4.formatNetwork(parsed) !== network)
    problems.push(problem('NOVA3004', { network, right: ipv4.formatNetwork(parsed) }));
  const taken = [
    ...siteNetworks(site).map((each) => ({ name: each.name as string, network: each.network })),
    ...existing.filter((each) => each.name !== name),
  ];
  for (const other of taken) {
    if (ipv4.overlaps(parsed, ipv4.parseNetwork(other.network))) {
      problems.push(problem('NOVA7022', { network, other: other.network, name: other.name }));
    }
  }
  const { external, transit, universe } = site;
  const outside = allocate(
    {
      name: { en: 'external addresses', ru: 'внешние адреса' },
      shown: external.addresses.join(', '),
      ranges: external.addresses.map(ipv4.parseRange),
      isFromEnd: true,
    },
    [name],
    new Map(router ? [[name, ipv4.parseAddress(router.externalAddress)]] : []),
    [
      external.gateway,
      universe.externalAddress,
      ...existing.flatMap(({ router, published, loadBalancers }) => [
        router.externalAddress,
        ...[...published, ...loadBalancers].map((each) => each.externalAddress),
      ]),
    ]
      .flatMap((address) => address ?? [])
      .map(ipv4.parseAddress),
  );
  const { first, last } = ipv4.parseNetwork(transit.network);
  const link = allocate(
    {
      name: { en: 'transit addresses', ru: 'адреса транзитной сети' },
      shown: transit.network,
      ranges: [{ first: first + 1, last: last - 1 }],
      isFromEnd: true,
    },
    [name],
    new Map(router ? [[name, ipv4.parseAddress(router.transitAddress)]] : []),
    [transit.integrationRouter, ...existing.flatMap(({ router }) => router.transitAddress ?? [])].map(
      ipv4.parseAddress,
    ),
  );
  problems.push(...outside.problems, ...link.problems);
  if (problems.length > 0) throw new ProblemError(...problems);
  return {
    name,
    network,
    gateway: ipv4.formatAddress(parsed.first + 1),
    router: {
      name: `${name}-router`,
      externalAddress: ipv4.formatAddress(outside.given.get(name) ?? 0),
      transitAddress: ipv4.formatAddress(link.given.get(name) ?? 0),
    },
    externalGateway: external.gateway,
    names: [],
    published: [],
    loadBalancers: [],
    wanted: 'present',
  };
}

/** The address of a machine: the requested one, or the first free one. */
export function addressFor(
  machine: string,
  asked: string | undefined,
  network: NetworkRecord,
  machines: readonly MachineRecord[],
): string {
  const { first, last } = ipv4.parseNetwork(network.network);
  const taken = machines.flatMap(({ card }) => (card?.network === network.name ? [card.address] : []));
  if (asked !== undefined) {
    const address = ipv4.parseAddress(asked);
    if (address <= first || address >= last)
      throw new ProblemError(problem('NOVA3018', { address: asked, field: network.name, network: network.network }));
    if (taken.includes(asked) || asked === network.gateway)
      throw new ProblemError(problem('NOVA7023', { address: asked, network: network.name }));
    return asked;
  }
  const { given, problems } = allocate(
    {
      name: { en: 'machine addresses', ru: 'адреса машин' },
      shown: network.network,
      ranges: [{ first: first + firstMachineOffset, last: last - 1 }],
    },
    [machine],
    new Map(),
    taken.map(ipv4.parseAddress),
  );
  if (problems.length > 0) throw new ProblemError(...problems);
  return ipv4.formatAddress(given.get(machine) ?? 0);
}

/** A machine's MAC address is derived from its IP address, so it is unique on the host. */
export function macOf(address: string): string {
  const octets = address.split('.').map((octet) => Number(octet).toString(16).padStart(2, '0'));
  return ['0a', '00', ...octets].join(':');
}

/** The topology of all networks, from the records. */
export function topologyOf(
  site: Site,
  networks: readonly NetworkRecord[],
  machines: readonly MachineRecord[],
  openPorts: readonly string[],
  /** Ports of services of the host that Universe reaches. */
  servicePorts: readonly string[],
): Topology {
  const { external, transit } = site;
  const integration = integrationNetwork(site);
  const portsOf = (network: string) =>
    machines.flatMap(({ name, wanted, card }) => {
      if (card?.network !== network || wanted === 'gone') return [];
      const { mac, address, allowedNetworks = [] } = card;
      return [{ name, mac, address, allowedNetworks }];
    });
  return {
    external: { network: external.network, hostAddress: external.gateway, openPorts },
    transit: { network: transit.network },
    integration: {
      network: integration.network,
      gateway: integration.gateway,
      transitAddress: transit.integrationRouter,
      externalAddress: site.integration.externalAddress,
      ports: portsOf(integrationName),
      names: integration.names,
      published: integration.published,
      hostPorts: servicePorts,
      distantPorts: existingHostPorts,
    },
    networks: networks
      .filter(({ wanted }) => wanted !== 'gone')
      .map(({ wanted: _wanted, ...network }) => ({ ...network, ports: portsOf(network.name) })),
  };
}
