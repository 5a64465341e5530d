import { ipv4, isUsable, mebibytesOf, type Path, type Problem, problem, type Text } from '@nova-platform/api';
import type { ClusterPlan, PlannedNode } from '@nova-platform/plan';

/** The box that machines would be made on, as it is now. */
export interface Box {
  processors: number;
  memory: { freeBytes: number };
  disk: { freeBytes: number };
  kernel: Record<'nftables' | 'iptablesLegacy' | 'iptablesNft' | 'ipvs' | 'bridgeNetfilter' | 'conntrack', boolean>;
  /** How many watches of files root may have at once: machines share them. */
  inotifyInstances: number;
  /** Networks that the box itself is in. */
  ownNetworks: { name: string; network: string }[];
  networks: {
    name: string;
    network: string;
    router: { externalAddress?: string; transitAddress?: string };
    published: readonly { externalAddress: string }[];
    loadBalancers: readonly { externalAddress?: string }[];
  }[];
  machines: { name: string; network: string; address: string; diskMebibytes?: number }[];
  /** Images of machines that are built. */
  builtImages: string[];
  /** Images of containers that nodes pull first and the registry does not have. */
  missingImages: { image: string; component: string }[];
}

/** What machines are made from. */
const nodeImage = 'kubernetes-node';
/** What a node takes at first: its disk is a layer that grows with what is written. */
const diskPerMachine = 2 * 1024 ** 3;

/** A control plane has some twenty watches; without one containerd serves no kubelet. */
const inotifyPerMachine = 24;

/** Providers that clusters can be made with; others can be planned. */
export function providerProblems({ cluster: { provider } }: ClusterPlan): Problem[] {
  return isUsable(provider) ? [] : [problem('NOVA3029', { provider }, ['spec', 'provider', 'type'])];
}

/** Everything that keeps a plan from becoming a cluster on this box; nothing when it can. */
export function preflight(plan: ClusterPlan, box: Box): Problem[] {
  const made = plan.nodes.filter(({ name }) => !box.machines.some((machine) => machine.name === name));
  return [
    ...roomProblems(made, box),
    ...inotifyProblems(made, box),
    ...kernelProblems(plan, box),
    ...imageProblems(made, box),
    ...machineProblems(plan, box),
    ...diskProblems(plan, box),
    ...networkProblems(plan, box),
  ];
}

function roomProblems(made: readonly PlannedNode[], { memory, disk }: Box): Problem[] {
  const neededMemory = made.reduce((sum, node) => sum + mebibytesOf(node.memory) * 1024 ** 2, 0);
  const neededDisk = made.length * diskPerMachine;
  const lacks = (what: Text, free: number, needed: number): Problem[] =>
    needed <= free ? [] : [problem('NOVA7025', { what, free: sizeText(free), needed: sizeText(needed) })];
  return [
    ...lacks({ en: 'memory', ru: 'память' }, memory.freeBytes, neededMemory),
    ...lacks({ en: 'disk', ru: 'диск' }, disk.freeBytes, neededDisk),
  ];
}

function inotifyProblems(made: readonly PlannedNode[], { inotifyInstances: there, machines }: Box): Problem[] {
  const needed = (machines.length + made.length) * inotifyPerMachine;
  if (made.length === 0 || needed <= there) return [];
  const what: Text = {
    en: `inotify instances for so many machines (${there} of ${needed})`,
    ru: `столько экземпляров inotify, сколько нужно машинам (${there} из ${needed})`,
  };
  const command = 'sysctl -w fs.inotify.max_user_instances=8192';
  return [problem('NOVA7032', { what, remedy: { en: `On it: \`${command}\`.`, ru: `На ней: \`${command}\`.` } })];
}

function kernelProblems({ cluster: { kubeProxyMode } }: ClusterPlan, { kernel }: Box): Problem[] {
  const otherMode: Text = {
    en: `Choose another kubeProxyMode: ${usableModes(kernel).join(' or ')}.`,
    ru: `Укажите другой kubeProxyMode: ${usableModes(kernel).join(' или ')}.`,
  };
  const otherKernel: Text = { en: 'Use a kernel that has it.', ru: 'Нужно ядро с этой возможностью.' };
  const demands: [isThere: boolean, what: Text, remedy: Text, path?: Path][] = [
    [
      usableModes(kernel).includes(kubeProxyMode),
      {
        en: `${kubeProxyMode} in its kernel, which kubeProxyMode asks for`,
        ru: `${kubeProxyMode} в ядре, как требует kubeProxyMode`,
      },
      otherMode,
      configPath('kubeProxyMode'),
    ],
    [
      kernel.nftables,
      { en: 'nftables in its kernel, which pod networking uses', ru: 'nftables в ядре, нужны для сети подов' },
      otherKernel,
    ],
    [
      kernel.bridgeNetfilter,
      { en: 'br_netfilter in its kernel, which services need', ru: 'br_netfilter в ядре, нужен для служб' },
      otherKernel,
    ],
    [
      kernel.conntrack,
      { en: 'nf_conntrack in its kernel, which services need', ru: 'nf_conntrack в ядре, нужен для служб' },
      otherKernel,
    ],
  ];
  return demands.flatMap(([isThere, what, remedy, path]) =>
    isThere ? [] : [problem('NOVA7032', { what, remedy }, path)],
  );
}

function usableModes(kernel: Box['kernel']): string[] {
  return [
    ...(kernel.nftables ? ['nftables'] : []),
    ...(kernel.iptablesLegacy || kernel.iptablesNft ? ['iptables'] : []),
    ...(kernel.ipvs ? ['ipvs'] : []),
  ];
}

function imageProblems(made: readonly PlannedNode[], { builtImages, missingImages }: Box): Problem[] {
  const isNeeded = made.length > 0 && !builtImages.includes(nodeImage);
  return [
    ...(isNeeded ? [problem('NOVA7002', { image: nodeImage })] : []),
    ...missingImages.map((each) => problem('NOVA8369', each)),
  ];
}

/** Names are unique on the box, addresses in a network. */
function machineProblems({ cluster, nodes }: ClusterPlan, { machines }: Box): Problem[] {
  const strangers = machines.filter(({ name, network }) => {
    const isPlanned = nodes.some((node) => node.name === name);
    return isPlanned ? network !== cluster.name : network === cluster.name;
  });
  return strangers.flatMap(({ name, network, address }) => {
    if (network !== cluster.name) return [problem('NOVA7021', { kind: { en: 'machine', ru: 'машина' }, name })];
    return nodes.some((node) => node.address === address)
      ? [problem('NOVA7023', { address, network: `${network} (${name})` })]
      : [];
  });
}

/** A disk only grows. */
function diskProblems({ nodes, declared }: ClusterPlan, { machines }: Box): Problem[] {
  return nodes.flatMap(({ name, group, disk }) => {
    const before = machines.find((machine) => machine.name === name)?.diskMebibytes;
    if (before === undefined || mebibytesOf(disk) >= before) return [];
    const index = declared.nodeGroups.findIndex((each) => each.name === group);
    return [problem('NOVA7085', { name, before: `${before}Mi`, after: disk }, ['spec', 'nodeGroups', index, 'disk'])];
  });
}

function networkProblems({ cluster, network, api }: ClusterPlan, { networks, ownNetworks }: Box): Problem[] {
  if (network.kind !== 'sdn') return [];
  const { service, router, published } = network;
  const [present, others] = [
    networks.find(({ name }) => name === cluster.name),
    networks.filter(({ name }) => name !== cluster.name),
  ];
  if (present && present.network !== service.network)
    return [problem('NOVA7021', { kind: { en: 'network', ru: 'сеть' }, name: cluster.name })];
  const nodeNetwork = ipv4.parseNetwork(service.network);
  const overlaps = [...others, ...ownNetworks]
    .filter((other) => ipv4.overlaps(nodeNetwork, ipv4.parseNetwork(other.network)))
    .map((other) =>
      problem(
        'NOVA7022',
        { network: service.network, other: other.network, name: other.name },
        configPath('nodeNetwork'),
      ),
    );
  // What it has already it keeps, whoever came later.
  const had = present ? addressesOf(present) : [];
  const wanted = new Set(
    [
      router.externalAddress,
      router.transitAddress,
      api.externalAddress,
      ...published.map((each) => each.externalAddress),
    ].filter((address) => !had.includes(address)),
  );
  const taken = others.flatMap((other) =>
    addressesOf(other)
      .filter((address) => wanted.has(address))
      .map((address) => problem('NOVA7023', { address, network: other.name })),
  );
  return [...overlaps, ...taken];
}

/** Outside and in the transit network. */
function addressesOf({ router, published, loadBalancers }: Box['networks'][number]): string[] {
  const outside = [...published, ...loadBalancers].map(({ externalAddress }) => externalAddress);
  return [router.externalAddress, router.transitAddress, ...outside].flatMap((address) => address ?? []);
}

const configPath = (field: string) => ['spec', 'clusterConfiguration', field];

function sizeText(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)}Gi`;
}
