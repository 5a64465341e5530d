import {
  ipv4,
  type MachineKind,
  mebibytesOf,
  type Path,
  type Problem,
  problem,
  quantityText,
  sizeTexts,
  type Text,
} from '@nova-platform/api';
import { availableMemory, hostMebibytes, type MachineStatus } from '@nova-platform/contracts/engine';
import { type ClusterPlan, machineKindOf, type PlannedNode } from '@nova-platform/plan';
import type { Resource, Resources } from '../provider.ts';

/** The state of the host that runs the machines. */
export interface Host {
  processors: number;
  memory: { totalBytes: number; freeBytes: number };
  disk: { freeBytes: number };
  hasKvm: boolean;
  kernel: Record<'nftables' | 'iptablesLegacy' | 'iptablesNft' | 'ipvs' | 'bridgeNetfilter' | 'conntrack', boolean>;
  /** How many inotify instances root can have: all machines share them. */
  inotifyInstances: number;
  /** Networks that the host itself is in. */
  ownNetworks: { name: string; network: string }[];
  networks: {
    name: string;
    network: string;
    router: { externalAddress?: string; transitAddress?: string };
    published: readonly { externalAddress: string }[];
    loadBalancers: readonly { externalAddress?: string }[];
  }[];
  machines: Pick<
    MachineStatus,
    'name' | 'kind' | 'network' | 'address' | 'state' | 'cpu' | 'memoryMebibytes' | 'diskMebibytes'
  >[];
  /** Images that are built: of machines, and the one that QEMU runs in. */
  builtImages: string[];
}

/** The images of a cluster's machines. */
export const nodeImages = { container: 'kubernetes-node', vm: 'kubernetes-vm' } as const satisfies Record<
  MachineKind,
  string
>;
/** QEMU runs in it. */
const hypervisorImage = 'hypervisor';
/** Disk space that a new node uses. Disks are sparse: a larger one needs no space until its machine writes. */
const diskPerMachine = 2 * 1024 ** 3;
/** The disk made of the image, which all VMs of the image share. */
const baseDisk = 2 * 1024 ** 3;

/**
 * A control plane uses about twenty instances of the host's kernel; containerd does not start without one. VMs have a
 * kernel of their own.
 */
const inotifyPerMachine = 24;

/** Everything that prevents a plan from being applied on this host. */
export function preflight(plan: ClusterPlan, host: Host): Problem[] {
  const made = newNodes(plan, host);
  return [
    ...roomProblems(resourcesOf(plan, host)),
    ...inotifyProblems(made, host),
    ...kernelProblems(plan, host),
    ...imageProblems(made, host),
    ...machineProblems(plan, host),
    ...kindProblems(plan, host),
    ...diskProblems(plan, host),
    ...networkProblems(plan, host),
  ];
}

/**
 * What machines need that are created or started, and the growth of running ones. Machines that shrink or are removed
 * free their memory only at the end of a change.
 */
export function resourcesOf(plan: ClusterPlan, host: Host): Resources {
  const running = new Map(host.machines.filter(({ state }) => state === 'running').map((each) => [each.name, each]));
  const growth = plan.nodes.map((node) => {
    const { name, cpu, memory } = node;
    const machine = running.get(name);
    const needed = hostMebibytes({ kind: machineKindOf(node), memoryMebibytes: mebibytesOf(memory) }, host.hasKvm);
    return {
      mebibytes: Math.max(0, needed - (machine ? hostMebibytes(machine, host.hasKvm) : 0)),
      processors: Math.max(0, cpu - (machine?.cpu ?? 0)),
    };
  });
  return {
    memory: {
      needed: growth.reduce((sum, { mebibytes }) => sum + mebibytes, 0) * 1024 ** 2,
      available: availableMemory(host, host.machines),
    },
    disk: { needed: neededDisk(newNodes(plan, host), host), available: host.disk.freeBytes },
    processors: { needed: growth.reduce((sum, { processors }) => sum + processors, 0), available: host.processors },
  };
}

function neededDisk(made: readonly PlannedNode[], { machines }: Host): number {
  const isFirstVm = made.some((node) => machineKindOf(node) === 'vm') && !machines.some(({ kind }) => kind === 'vm');
  return made.length * diskPerMachine + (isFirstVm ? baseDisk : 0);
}

function newNodes({ nodes }: ClusterPlan, { machines }: Host): PlannedNode[] {
  return nodes.filter(({ name }) => !machines.some((machine) => machine.name === name));
}

function roomProblems({ memory, disk }: Resources): Problem[] {
  const lacks = (what: Text, { needed, available }: Resource): Problem[] =>
    needed <= available ? [] : [problem('NOVA7025', { what, free: sizeTexts(available), needed: sizeTexts(needed) })];
  return [...lacks({ en: 'memory', ru: 'память' }, memory), ...lacks({ en: 'disk', ru: 'диск' }, disk)];
}

function inotifyProblems(made: readonly PlannedNode[], { inotifyInstances: there, machines }: Host): Problem[] {
  const added = made.filter((node) => machineKindOf(node) === 'container');
  const sharing = machines.filter(({ kind }) => kind === 'container').length + added.length;
  const needed = sharing * inotifyPerMachine;
  if (added.length === 0 || needed <= there) return [];
  const what: Text = {
    en: `inotify instances for so many machines (${there} of ${needed})`,
    ru: `столько экземпляров inotify, сколько нужно машинам (${there} из ${needed})`,
  };
  const command = 'sysctl -w fs.inotify.max_user_instances=8192';
  return [
    problem('NOVA7032', {
      what,
      remedy: { en: `Run on the host: \`${command}\`.`, ru: `Выполните на хосте: \`${command}\`.` },
    }),
  ];
}

/** Only containers use the kernel of the host. */
function kernelProblems({ cluster: { kubeProxyMode }, nodes }: ClusterPlan, { kernel }: Host): Problem[] {
  if (!nodes.some((node) => machineKindOf(node) === 'container')) return [];
  const otherMode: Text = {
    en: `Choose another kubeProxyMode: ${usableModes(kernel).join(' or ')}.`,
    ru: `Укажите другой kubeProxyMode: ${usableModes(kernel).join(' или ')}.`,
  };
  const otherKernel: Text = { en: 'Use a kernel that has it.', ru: 'Нужно ядро с этой возможностью.' };
  const requirements: [isThere: boolean, what: Text, remedy: Text, path?: Path][] = [
    [
      usableModes(kernel).includes(kubeProxyMode),
      {
        en: `${kubeProxyMode} in its kernel, which kubeProxyMode requires`,
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
  return requirements.flatMap(([isThere, what, remedy, path]) =>
    isThere ? [] : [problem('NOVA7032', { what, remedy }, path)],
  );
}

function usableModes(kernel: Host['kernel']): string[] {
  return [
    ...(kernel.nftables ? ['nftables'] : []),
    ...(kernel.iptablesLegacy || kernel.iptablesNft ? ['iptables'] : []),
    ...(kernel.ipvs ? ['ipvs'] : []),
  ];
}

function imageProblems(made: readonly PlannedNode[], { builtImages }: Host): Problem[] {
  const kinds = new Set(made.map(machineKindOf));
  const needed = [...kinds].flatMap((kind) => (kind === 'vm' ? [hypervisorImage, nodeImages.vm] : [nodeImages[kind]]));
  return needed.filter((image) => !builtImages.includes(image)).map((image) => problem('NOVA7002', { image }));
}

/** A machine that was created by hand can be of another kind than its node. */
function kindProblems({ cluster, nodes }: ClusterPlan, { machines }: Host): Problem[] {
  const own = machines.filter(({ network }) => network === cluster.name);
  return nodes.flatMap((node) => {
    const there = own.find(({ name }) => name === node.name)?.kind;
    const kind = machineKindOf(node);
    return there === undefined || there === kind ? [] : [problem('NOVA7160', { name: node.name, kind, there })];
  });
}

/** Names are unique on the host, addresses in a network. */
function machineProblems({ cluster, nodes }: ClusterPlan, { machines }: Host): Problem[] {
  const strangers = machines.filter(({ name, network }) => {
    const isPlanned = nodes.some((node) => node.name === name);
    return isPlanned ? network !== cluster.name : network === cluster.name;
  });
  return strangers.flatMap(({ name, network, address }) => {
    if (network !== cluster.name) return [problem('NOVA7021', { kind: { en: 'machine', ru: 'машина' }, name })];
    return address !== undefined && nodes.some((node) => node.address === address)
      ? [problem('NOVA7023', { address, network: `${network} (${name})` })]
      : [];
  });
}

/** A disk cannot shrink. */
function diskProblems({ nodes, declared }: ClusterPlan, { machines }: Host): Problem[] {
  return nodes.flatMap(({ name, group, disk }) => {
    const before = machines.find((machine) => machine.name === name)?.diskMebibytes;
    if (before === undefined || mebibytesOf(disk) >= before) return [];
    const index = declared.nodeGroups.findIndex((each) => each.name === group);
    const sizes = { before: quantityText(`${before}Mi`), after: quantityText(disk) };
    return [problem('NOVA7085', { name, ...sizes }, ['spec', 'nodeGroups', index, 'disk'])];
  });
}

function networkProblems({ cluster, network, api }: ClusterPlan, { networks, ownNetworks }: Host): Problem[] {
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
  // The cluster keeps the addresses that it has.
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

/** External addresses, and those in the transit network. */
function addressesOf({ router, published, loadBalancers }: Host['networks'][number]): string[] {
  const outside = [...published, ...loadBalancers].map(({ externalAddress }) => externalAddress);
  return [router.externalAddress, router.transitAddress, ...outside].flatMap((address) => address ?? []);
}

const configPath = (field: string) => ['spec', 'clusterConfiguration', field];
