import {
  groupSize,
  type Infrastructure,
  ipv4,
  type MachineKind,
  type NodeGroup,
  type Problem,
} from '@nova-platform/api';
import { allocate, type Pool } from './allocate.ts';
import type { ClusterPlan, PlannedNode } from './cluster-plan.ts';

/** Addresses below this offset of a node network are reserved for the platform: gateway, API, health checks. */
const firstNodeOffset = 10;

/** Every node with its name, address and pod network. Existing nodes keep theirs. */
export function planNodes(
  cluster: string,
  { spec }: Infrastructure,
  current: ClusterPlan | undefined,
  defaultKind?: MachineKind,
): { nodes: PlannedNode[]; problems: Problem[] } {
  const existing = current?.nodes ?? [];
  const named = spec.nodeGroups.flatMap((group) => namesOf(cluster, group, existing).map((name) => ({ name, group })));
  const names = named.map(({ name }) => name);

  const addresses =
    spec.provider.type === 'existing' ? givenAddresses(spec.nodeGroups) : freshAddresses(spec, names, existing);
  const pods = allocate(
    podPool(spec),
    names,
    new Map(existing.map(({ name, podNetwork }) => [name, podSlot(spec, podNetwork)])),
  );
  const problems = [...addresses.problems, ...pods.problems];
  if (problems.length > 0) return { nodes: [], problems };

  const shared = new Map(spec.nodeGroups.map((group) => [group, { labels: labelsOf(group), taints: taintsOf(group) }]));
  const nodes = named.map(({ name, group }) => ({
    name,
    group: group.name,
    ...kindOf(group.machineKind ?? defaultKind),
    roles: group.roles,
    address: ipv4.formatAddress(addresses.given.get(name) ?? 0),
    podNetwork: podNetworkOf(spec, pods.given.get(name) ?? 0),
    cpu: group.cpu,
    memory: group.memory,
    disk: group.disk,
    labels: shared.get(group)?.labels ?? {},
    taints: shared.get(group)?.taints ?? [],
  }));
  return { nodes, problems };
}

/** As part of a plan. */
export function kindOf(machineKind: MachineKind | undefined): { machineKind?: MachineKind } {
  return machineKind ? { machineKind } : {};
}

export function machineKindOf({ machineKind = 'container' }: { machineKind?: MachineKind | undefined }): MachineKind {
  return machineKind;
}

/** Existing nodes of the group stay, the lowest numbers first; new ones get the lowest free numbers. */
function namesOf(cluster: string, group: NodeGroup, existing: readonly PlannedNode[]): string[] {
  if (group.hosts) return group.hosts.map(({ name }) => name);
  const prefix = `${cluster}-${group.name}-`;
  const numbers = existing
    .filter((node) => node.group === group.name && node.name.startsWith(prefix))
    .map((node) => Number(node.name.slice(prefix.length)))
    .filter((number) => Number.isSafeInteger(number) && number > 0)
    .sort((a, b) => a - b);
  const taken = new Set(numbers);
  const wanted = numbers.slice(0, groupSize(group));
  for (let number = 1; wanted.length < groupSize(group); number += 1) if (!taken.has(number)) wanted.push(number);
  return wanted.sort((a, b) => a - b).map((number) => `${prefix}${number}`);
}

function givenAddresses(groups: readonly NodeGroup[]): { given: Map<string, number>; problems: Problem[] } {
  const hosts = groups.flatMap((group) => group.hosts ?? []);
  return { given: new Map(hosts.map(({ name, address }) => [name, ipv4.parseAddress(address)])), problems: [] };
}

function freshAddresses(spec: Infrastructure['spec'], names: string[], existing: readonly PlannedNode[]) {
  const held = new Map(existing.map(({ name, address }) => [name, ipv4.parseAddress(address)]));
  const { k8sAPIAddress, nodeNetwork } = spec.clusterConfiguration;
  const others = [spec.provider.vsphere?.gateway, k8sAPIAddress].flatMap((address) => address ?? []);
  return allocate(nodePool(spec), names, held, [...others.map(ipv4.parseAddress), ...edgesOf(nodeNetwork)]);
}

/** The network and broadcast addresses, which no host can use. */
export function edgesOf(network: string): [number, number] {
  const { first, last } = ipv4.parseNetwork(network);
  return [first, last];
}

function nodePool({ provider, clusterConfiguration }: Infrastructure['spec']): Pool {
  const name = { en: 'node addresses', ru: 'адреса узлов' };
  const { nodeNetwork } = clusterConfiguration;
  if (provider.vsphere) {
    const { addresses } = provider.vsphere;
    return { name, shown: addresses.join(', '), ranges: addresses.map(ipv4.parseRange) };
  }
  const { first, last } = ipv4.parseNetwork(nodeNetwork);
  return { name, shown: nodeNetwork, ranges: [{ first: first + firstNodeOffset, last: last - 1 }] };
}

function podPool({ clusterConfiguration }: Infrastructure['spec']): Pool {
  const { podNetwork, podNetworkNodePrefix } = clusterConfiguration;
  const slots = 2 ** (podNetworkNodePrefix - ipv4.parseNetwork(podNetwork).prefix);
  return {
    name: { en: 'pod networks', ru: 'сети подов' },
    shown: `${podNetwork}, /${podNetworkNodePrefix}`,
    ranges: [{ first: 0, last: slots - 1 }],
  };
}

function podNetworkOf({ clusterConfiguration }: Infrastructure['spec'], slot: number): string {
  const { podNetwork, podNetworkNodePrefix: prefix } = clusterConfiguration;
  const size = 2 ** (32 - prefix);
  const first = ipv4.parseNetwork(podNetwork).first + slot * size;
  return ipv4.formatNetwork({ first, last: first + size - 1, prefix });
}

function podSlot({ clusterConfiguration }: Infrastructure['spec'], network: string): number {
  const { podNetwork, podNetworkNodePrefix } = clusterConfiguration;
  return (ipv4.parseNetwork(network).first - ipv4.parseNetwork(podNetwork).first) / 2 ** (32 - podNetworkNodePrefix);
}

function labelsOf(group: NodeGroup): Record<string, string> {
  return { ...Object.fromEntries(group.roles.map((role) => [`node-role.kubernetes.io/${role}`, ''])), ...group.labels };
}

/** Nodes without the role `worker` run no applications. */
function taintsOf(group: NodeGroup): PlannedNode['taints'] {
  if (group.roles.includes('worker')) return group.taints;
  return [
    ...group.roles.map((role) => ({ key: `node-role.kubernetes.io/${role}`, effect: 'NoSchedule' })),
    ...group.taints,
  ];
}

export function isPublished(node: PlannedNode): boolean {
  return node.roles.includes('infra') || node.roles.includes('ingress');
}

export function controlPlanes(nodes: readonly PlannedNode[]): PlannedNode[] {
  return nodes.filter((node) => node.roles.includes('control-plane'));
}
