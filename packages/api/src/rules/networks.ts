import { type Infrastructure, networkPrefixes } from '../infrastructure.ts';
import { hasSdn, isInSiteNetwork } from '../infrastructure-provider.ts';
import {
  contains,
  formatNetwork,
  isAddress,
  type Network,
  overlaps,
  parseNetwork,
  parseRange,
  type Range,
} from '../ipv4.ts';
import type { Path } from '../problem.ts';
import type { Text } from '../text.ts';
import { configPath, type Environment, type Finding, finding, type Rule } from './rule.ts';

interface Declared {
  text: string;
  network: Network;
  path: Path;
  name: string;
}

function declaredNetworks({ spec }: Infrastructure): Declared[] {
  const { nodeNetwork, podNetwork, serviceNetwork } = spec.clusterConfiguration;
  const declared = (text: string, path: Path): Declared => ({
    text,
    network: parseNetwork(text),
    path,
    name: String(path.at(-1)),
  });
  return [
    declared(nodeNetwork, configPath('nodeNetwork')),
    declared(podNetwork, configPath('podNetwork')),
    declared(serviceNetwork, configPath('serviceNetwork')),
    ...(spec.externalNetwork
      ? [{ ...declared(spec.externalNetwork.network, ['spec', 'externalNetwork', 'network']), name: 'externalNetwork' }]
      : []),
  ];
}

export const networksHaveNoHostBits: Rule = (document) =>
  declaredNetworks(document)
    .filter(({ text, network }) => formatNetwork(network) !== text)
    .map(({ text, network, path }) => finding('NOVA3004', { network: text, right: formatNetwork(network) }, path));

export const networkSizesAreInRange: Rule = (document) => {
  const { podNetworkNodePrefix } = document.spec.clusterConfiguration;
  const limits: Record<string, readonly [shortest: number, longest: number]> = {
    ...networkPrefixes,
    podNetwork: [networkPrefixes.podNetwork[0], podNetworkNodePrefix],
  };
  return declaredNetworks(document).flatMap(({ text, network, path, name }) => {
    const [shortest, longest] = limits[name] ?? [0, 32];
    if (network.prefix >= shortest && network.prefix <= longest) return [];
    const size: Text = network.prefix > longest ? { en: 'small', ru: 'маленькая' } : { en: 'large', ru: 'большая' };
    return [
      finding('NOVA3006', { network: text, size, field: name, shortest, longest }, path, [
        configPath('podNetworkNodePrefix'),
      ]),
    ];
  });
};

export const clusterNetworksDoNotOverlap: Rule = (document) => {
  const networks = declaredNetworks(document);
  return networks.flatMap((one, index) =>
    networks
      .slice(0, index)
      .filter((other) => overlaps(one.network, other.network))
      .map((other) =>
        finding(
          'NOVA3001',
          { field: one.name, network: one.text, otherField: other.name, other: other.text },
          one.path,
          [other.path],
        ),
      ),
  );
};

export const nodeNetworkIsUnique: Rule = (document, environment) => {
  const { nodeNetwork } = document.spec.clusterConfiguration;
  const network = parseNetwork(nodeNetwork);
  return environment.clusters
    .filter((cluster) => overlaps(network, parseNetwork(cluster.nodeNetwork)))
    .map((cluster) =>
      finding(
        'NOVA3002',
        {
          network: nodeNetwork,
          other: cluster.nodeNetwork,
          cluster: cluster.name,
          free: freeNetwork(network.prefix, document, environment),
        },
        configPath('nodeNetwork'),
      ),
    );
};

export const siteNetworksDoNotOverlap: Rule = (document, environment) => {
  const { provider, externalNetwork } = document.spec;
  const usesSiteExternal = isInSiteNetwork(provider.type) || (hasSdn(provider.type) && externalNetwork === undefined);
  const sites = environment.siteNetworks.filter(({ name }) => name !== 'external' || usesSiteExternal);
  return declaredNetworks(document).flatMap(({ text, network, path, name }) =>
    sites
      .filter((site) => overlaps(network, parseNetwork(site.network)))
      .filter((site) => !(site.name === 'external' && name === 'externalNetwork'))
      .map((site) =>
        finding(
          'NOVA3003',
          {
            field: name,
            network: text,
            site: site.name,
            other: site.network,
            free: freeNetwork(network.prefix, document, environment),
          },
          path,
          [
            ['spec', 'externalNetwork'],
            ['spec', 'provider', 'type'],
          ],
        ),
      ),
  );
};

/** Provider `local`: the engine has created the external network, and the declaration must match it. */
export const localExternalNetworkMatchesSite: Rule = ({ spec }, { siteNetworks }) => {
  const declared = spec.externalNetwork;
  const site = siteNetworks.find(({ name }) => name === 'external');
  if (!isInSiteNetwork(spec.provider.type) || !declared || !site) return [];
  const base = ['spec', 'externalNetwork'];
  const { network, gateway = '', addresses = [] } = site;
  const outside = (value: string, allowed: readonly string[], path: Path) =>
    finding('NOVA3051', { value, allowed: allowed.join(', ') }, path, [['spec', 'provider', 'type']]);
  const isWithin = (range: Range, allowed: readonly Range[]) => allowed.some((each) => contains(each, range));
  return [
    ...(contains(parseNetwork(network), parseNetwork(declared.network))
      ? []
      : [outside(declared.network, [network], [...base, 'network'])]),
    ...(declared.gateway === gateway
      ? []
      : [finding('NOVA3052', { gateway: declared.gateway, right: gateway }, [...base, 'gateway'])]),
    ...declared.addresses.flatMap((address, index) =>
      isWithin(parseRange(address), addresses.map(parseRange))
        ? []
        : [outside(address, addresses, [...base, 'addresses', index])],
    ),
  ];
};

/** The first free network of that size in 10.0.0.0/8. */
function freeNetwork(prefix: number, document: Infrastructure, environment: Environment): Text {
  const taken = [
    ...declaredNetworks(document).map(({ network }) => network),
    ...environment.siteNetworks.map(({ network }) => parseNetwork(network)),
    ...environment.clusters.map(({ nodeNetwork }) => parseNetwork(nodeNetwork)),
  ];
  const size = 2 ** (32 - prefix);
  const pool = parseNetwork('10.0.0.0/8');
  let candidate: Network = { first: pool.first, last: pool.first + size - 1, prefix };
  for (let blocker: Range | undefined; contains(pool, candidate); ) {
    blocker = taken.find((each) => overlaps(each, candidate));
    if (blocker === undefined)
      return { en: `${formatNetwork(candidate)} is free`, ru: `свободна ${formatNetwork(candidate)}` };
    const first = (Math.floor(blocker.last / size) + 1) * size;
    candidate = { first, last: first + size - 1, prefix };
  }
  return { en: 'no network of that size is free in 10.0.0.0/8', ru: 'свободной сети такого размера в 10.0.0.0/8 нет' };
}

export const addressesAreInNetworks: Rule = ({ spec }) => {
  const nodeNetwork = {
    field: 'nodeNetwork',
    text: spec.clusterConfiguration.nodeNetwork,
    path: configPath('nodeNetwork'),
  };
  const checks: { address: string; path: Path; within: typeof nodeNetwork }[] = [];
  const { vsphere } = spec.provider;
  if (vsphere) {
    const base = ['spec', 'provider', 'vsphere'];
    checks.push({ address: vsphere.gateway, path: [...base, 'gateway'], within: nodeNetwork });
    for (const [index, address] of vsphere.addresses.entries()) {
      checks.push({ address, path: [...base, 'addresses', index], within: nodeNetwork });
    }
  }
  for (const [index, group] of spec.nodeGroups.entries()) {
    for (const [number, host] of (group.hosts ?? []).entries()) {
      checks.push({
        address: host.address,
        path: ['spec', 'nodeGroups', index, 'hosts', number, 'address'],
        within: nodeNetwork,
      });
    }
  }
  if (spec.externalNetwork) {
    const base = ['spec', 'externalNetwork'];
    const within = { field: 'externalNetwork', text: spec.externalNetwork.network, path: [...base, 'network'] };
    // The gateway of the site may be outside the range of a local cluster.
    if (!isInSiteNetwork(spec.provider.type))
      checks.push({ address: spec.externalNetwork.gateway, path: [...base, 'gateway'], within });
    for (const [index, address] of spec.externalNetwork.addresses.entries()) {
      checks.push({ address, path: [...base, 'addresses', index], within });
    }
  }
  return checks.flatMap(({ address, path, within }): Finding[] => {
    const range = parseRange(address);
    if (range.last < range.first) return [finding('NOVA3022', { range: address }, path)];
    const network = parseNetwork(within.text);
    const isSingle = range.first === range.last;
    const isEdge = isSingle && (range.first === network.first || range.first === network.last);
    if (contains(network, range) && !isEdge) return [];
    return [finding('NOVA3018', { address, field: within.field, network: within.text }, path, [within.path])];
  });
};

/** The schema also has planned values. */
export const cniIsSupported: Rule = ({ spec }) => {
  const { cni } = spec.clusterConfiguration;
  return cni === 'basic' ? [] : [finding('NOVA3028', { cni }, configPath('cni'))];
};

/** Addresses from users must not be in the cluster's own networks. */
export const apiAddressesAreOutsideCluster: Rule = ({ spec }) => {
  const { k8sAPIAdditionalSANs, k8sAPIAddress, podNetwork, serviceNetwork } = spec.clusterConfiguration;
  const given = [
    ...k8sAPIAdditionalSANs.map((address, index) => ({ address, path: configPath('k8sAPIAdditionalSANs', index) })),
    ...(k8sAPIAddress ? [{ address: k8sAPIAddress, path: configPath('k8sAPIAddress') }] : []),
  ].filter(({ address }) => isAddress(address));
  const own = Object.entries({ podNetwork, serviceNetwork });
  return given.flatMap(({ address, path }) =>
    own
      .filter(([, network]) => contains(parseNetwork(network), parseRange(address)))
      .map(([field, network]) => finding('NOVA3017', { address, field, network }, path, [configPath(field)])),
  );
};
