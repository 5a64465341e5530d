import { type Infrastructure, ipv4, modulesOf, type Problem, problem } from '@nova-platform/api';
import { allocate } from './allocate.ts';
import type { ClusterPlan, PlannedNode, SdnPlan } from './cluster-plan.ts';
import { controlPlanes, edgesOf, isPublished } from './nodes.ts';
import { apiName, type Site, universeNames } from './site.ts';

const apiPort = 6443;
/** For the ingress controllers, in clusters without modules for those of the user. */
const webPorts = ['80/tcp', '443/tcp'];
/** The API server's default range of ports for NodePort services. */
const nodePorts = ['30000-32767/tcp', '30000-32767/udp'];

interface Outside {
  site: Site;
  /** Plans of the other clusters of the site. */
  others: readonly ClusterPlan[];
  current: ClusterPlan | undefined;
}

/** The networks of a cluster whose provider has SDN: service network, router, external addresses, routes, names. */
export function planSdn(
  cluster: string,
  document: Infrastructure,
  nodes: readonly PlannedNode[],
  { site, others, current }: Outside,
): { network: SdnPlan; api: ClusterPlan['api']; nodes: PlannedNode[]; problems: Problem[] } {
  const { spec } = document;
  const { nodeNetwork, k8sAPIDefaultFqdn } = spec.clusterConfiguration;
  const { first } = ipv4.parseNetwork(nodeNetwork);
  const [gateway, apiAddress, healthCheckSource] = [1, 2, 3].map((offset) => ipv4.formatAddress(first + offset)) as [
    string,
    string,
    string,
  ];
  const router = `${cluster}-router`;
  const before = current?.network.kind === 'sdn' ? current.network : undefined;
  const sdnOthers = others.flatMap((other) => (other.network.kind === 'sdn' ? [other.network] : []));

  const transit = allocate(
    {
      name: { en: 'transit addresses', ru: 'адреса транзитной сети' },
      shown: site.transit.network,
      ranges: [hostsOf(site.transit.network)],
    },
    [router],
    new Map(before ? [[router, ipv4.parseAddress(before.router.transitAddress)]] : []),
    [site.transit.integrationRouter, ...sdnOthers.map((other) => other.router.transitAddress)].map(ipv4.parseAddress),
  );

  const external = spec.externalNetwork ?? site.external;
  const publishedNodes = nodes.filter(isPublished);
  const outside = allocate(
    {
      name: { en: 'external addresses', ru: 'внешние адреса' },
      shown: external.addresses.join(', '),
      ranges: external.addresses.map(ipv4.parseRange),
    },
    [router, 'api', ...publishedNodes.map(({ name }) => name)],
    new Map(before ? heldOutside(before) : []),
    [
      ...[external.gateway, site.external.gateway, site.universe.externalAddress].map(ipv4.parseAddress),
      ...edgesOf(external.network),
      ...others.flatMap(addressesOutside),
    ],
  );

  const transitAddress = ipv4.formatAddress(transit.given.get(router) ?? 0);
  const outsideOf = (consumer: string) => ipv4.formatAddress(outside.given.get(consumer) ?? 0);
  const backends = controlPlanes(nodes).map(({ address }) => address);

  return {
    nodes: nodes.map((node) => (isPublished(node) ? { ...node, externalAddress: outsideOf(node.name) } : node)),
    api: {
      port: apiPort,
      address: apiAddress,
      externalAddress: outsideOf('api'),
      ...(k8sAPIDefaultFqdn && { fqdn: k8sAPIDefaultFqdn }),
      balancing: { by: 'sdn', backends, healthCheckSource },
    },
    network: {
      kind: 'sdn',
      integration: {
        network: site.integration.network,
        router: site.integration.router,
        universe: { address: site.universe.address, externalAddress: site.universe.externalAddress },
      },
      service: { name: cluster, network: nodeNetwork, gateway },
      router: { name: router, externalAddress: outsideOf(router), transitAddress },
      external: { network: external.network, gateway: external.gateway },
      // Universe identifies nodes by their addresses, so connections to it are exempt.
      snat: { from: nodeNetwork, to: outsideOf(router), exempt: [site.integration.network, site.transit.network] },
      published: [
        { name: 'api', externalAddress: outsideOf('api'), address: apiAddress, ports: [`${apiPort}/tcp`] },
        ...publishedNodes.map((node) => ({
          name: node.name,
          externalAddress: outsideOf(node.name),
          address: node.address,
          ports: portsOf(node, document),
        })),
      ],
      transit: { network: site.transit.network },
      routes: [
        { router, network: '0.0.0.0/0', via: external.gateway },
        { router, network: site.integration.network, via: site.transit.integrationRouter },
        { router: 'integration', network: nodeNetwork, via: transitAddress },
      ],
      interceptor: [
        ...universeNames(site).map((name) => ({ name, addresses: [site.universe.address] })),
        { name: apiName(cluster, site), addresses: [apiAddress] },
        ...(k8sAPIDefaultFqdn ? [{ name: k8sAPIDefaultFqdn, addresses: [apiAddress] }] : []),
      ],
    },
    problems: [...transit.problems, ...outside.problems, ...routerProblems(cluster, before, outsideOf(router))],
  };
}

/** A router is created with its address, and keeps it. */
function routerProblems(cluster: string, before: SdnPlan | undefined, address: string): Problem[] {
  if (!before || before.router.externalAddress === address) return [];
  const path = ['spec', 'externalNetwork', 'addresses'];
  return [problem('NOVA3073', { cluster, address: before.router.externalAddress }, path)];
}

/** Ports of a published node that are reachable from outside. */
function portsOf({ roles }: PlannedNode, document: Infrastructure): string[] {
  const { publishNodePorts } = document.spec.clusterConfiguration;
  const modulePorts = modulesOf(document).flatMap(({ module }) =>
    module.roles.some((role) => roles.includes(role)) ? module.publishedPorts : [],
  );
  return [...webPorts, ...modulePorts, ...(publishNodePorts ? nodePorts : [])];
}

/** A cluster in an existing network: no network is created, and names are written to the hosts files of the nodes. */
export function planSiteNetwork(
  cluster: string,
  { spec }: Infrastructure,
  nodes: readonly PlannedNode[],
  site: Site,
): { network: ClusterPlan['network']; api: ClusterPlan['api']; nodes: PlannedNode[] } {
  const { nodeNetwork, k8sAPIAddress, k8sAPIDefaultFqdn } = spec.clusterConfiguration;
  const backends = controlPlanes(nodes).map(({ address }) => address);
  const address = k8sAPIAddress ?? backends[0] ?? '';
  return {
    nodes: nodes.map((node) => (isPublished(node) ? { ...node, externalAddress: node.address } : node)),
    api: {
      port: apiPort,
      address,
      externalAddress: address,
      ...(k8sAPIDefaultFqdn && { fqdn: k8sAPIDefaultFqdn }),
      balancing: { by: k8sAPIAddress ? 'external' : 'none', backends },
    },
    network: {
      kind: 'site',
      network: nodeNetwork,
      ...(spec.provider.vsphere && { gateway: spec.provider.vsphere.gateway }),
      hosts: [
        ...universeNames(site).map((name) => ({ name, addresses: [site.universe.externalAddress] })),
        { name: apiName(cluster, site), addresses: [address] },
        ...(k8sAPIDefaultFqdn ? [{ name: k8sAPIDefaultFqdn, addresses: [address] }] : []),
      ],
    },
  };
}

function heldOutside(network: SdnPlan): [consumer: string, address: number][] {
  return [
    [network.router.name, ipv4.parseAddress(network.router.externalAddress)],
    ...network.published.map(({ name, externalAddress }): [string, number] => [
      name,
      ipv4.parseAddress(externalAddress),
    ]),
  ];
}

/** The addresses of another cluster that are visible in the external network. */
function addressesOutside({ network, nodes, api }: ClusterPlan): number[] {
  if (network.kind === 'sdn') return heldOutside(network).map(([, address]) => address);
  return [api.address, ...nodes.map(({ address }) => address)].map(ipv4.parseAddress);
}

function hostsOf(network: string): ipv4.Range {
  const { first, last } = ipv4.parseNetwork(network);
  return { first: first + 1, last: last - 1 };
}
