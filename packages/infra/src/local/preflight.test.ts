import { describe as inWords } from '@nova-platform/api';
import { type Declaration, plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { type Host, preflight, resourcesOf } from './preflight.ts';

const gibibyte = 1024 ** 3;
const machine = (name: string, network: string, address: string, memoryMebibytes = 1024) => ({
  name,
  kind: 'container' as const,
  network,
  address,
  state: 'running' as const,
  cpu: 2,
  memoryMebibytes,
});
const host: Host = {
  processors: 2,
  memory: { totalBytes: 24 * gibibyte, freeBytes: 16 * gibibyte },
  disk: { freeBytes: 60 * gibibyte },
  hasKvm: true,
  kernel: {
    nftables: true,
    iptablesLegacy: true,
    iptablesNft: true,
    ipvs: false,
    bridgeNetfilter: true,
    conntrack: true,
  },
  inotifyInstances: 128,
  ownNetworks: [{ name: 'eth0', network: '192.0.2.0/24' }],
  networks: [],
  machines: [machine('universe', 'integration', '10.255.0.10')],
  builtImages: ['kubernetes-node'],
};
const network = (name: string, more: Partial<Host['networks'][number]> = {}) => ({
  name,
  network: '10.99.0.0/24',
  router: {},
  published: [],
  loadBalancers: [],
  ...more,
});
const five: Declaration = {
  nodeGroups: [
    { name: 'cp', roles: ['control-plane'], count: 3, memory: '2Gi' },
    { name: 'work', roles: ['infra', 'ingress', 'worker'], count: 2, memory: '8Gi' },
  ],
};

test.each<[what: string, declared: Declaration, found: Partial<Host>, problems: string[]]>([
  ['one node fits', {}, {}, []],
  [
    'too little memory and disk for all new machines together',
    five,
    { disk: { freeBytes: 9.5 * gibibyte }, inotifyInstances: 8192 },
    [
      'NOVA7025 Not enough memory on this host: 16 GiB available, 22 GiB requested. → Request less, or delete something that uses it. A running machine uses all of its memory.',
      'NOVA7025 Not enough disk on this host: 9.5 GiB available, 10 GiB requested. → Request less, or delete something that uses it. A running machine uses all of its memory.',
    ],
  ],
  [
    'too little memory for machines, with any suffix',
    {
      nodeGroups: [
        { name: 'cp', roles: ['control-plane', 'infra'], memory: '0.5Ti' },
        { name: 'work', roles: ['worker'], memory: '8G' },
        { name: 'more', roles: ['worker'], memory: '4194304Ki' },
      ],
    },
    {},
    [
      'NOVA7025 Not enough memory on this host: 16 GiB available, 523.5 GiB requested. → Request less, or delete something that uses it. A running machine uses all of its memory.',
    ],
  ],
  [
    'memory that is free, but allocated to idle machines',
    {},
    { machines: [machine('idle', 'lab', '10.99.0.10', 22 * 1024)] },
    [
      'NOVA7025 Not enough memory on this host: 2 GiB available, 4 GiB requested. → Request less, or delete something that uses it. A running machine uses all of its memory.',
    ],
  ],
  [
    'memory of stopped machines is available',
    {},
    { machines: [{ ...machine('stopped', 'lab', '10.99.0.10', 22 * 1024), state: 'stopped' }] },
    [],
  ],
  [
    'existing machines need no more memory',
    five,
    {
      machines: [
        ...['cp-1', 'cp-2', 'cp-3'].map((name, index) => machine(`demo-${name}`, 'demo', `10.20.0.1${index}`, 2048)),
        machine('demo-work-1', 'demo', '10.20.0.13', 8192),
      ],
    },
    [],
  ],
  [
    'running machines need the memory that they grow by, and machines that shrink free none in advance',
    {
      nodeGroups: [
        { name: 'main', roles: ['control-plane', 'infra', 'ingress'], count: 3, memory: '2Gi' },
        { name: 'work', roles: ['worker'], count: 2, memory: '10Gi' },
      ],
    },
    {
      machines: [
        ...[1, 2, 3].map((number) => machine(`demo-main-${number}`, 'demo', `10.20.0.1${number}`, 4096)),
        ...[1, 2].map((number) => machine(`demo-work-${number}`, 'demo', `10.20.0.2${number}`, 1024)),
      ],
    },
    [
      'NOVA7025 Not enough memory on this host: 10 GiB available, 18 GiB requested. → Request less, or delete something that uses it. A running machine uses all of its memory.',
    ],
  ],
  [
    'stopped machines need all of their memory to start',
    {},
    {
      memory: { totalBytes: 24 * gibibyte, freeBytes: 3 * gibibyte },
      machines: [{ ...machine('demo-main-1', 'demo', '10.20.0.10', 4096), state: 'stopped' }],
    },
    [
      'NOVA7025 Not enough memory on this host: 3 GiB available, 4 GiB requested. → Request less, or delete something that uses it. A running machine uses all of its memory.',
    ],
  ],
  [
    'a disk that grows needs no space until its machine writes',
    { nodeGroups: [{ name: 'main', roles: ['control-plane', 'infra', 'ingress', 'worker'], disk: '900Gi' }] },
    { machines: [{ ...machine('demo-main-1', 'demo', '10.20.0.10', 4096), diskMebibytes: 20_480 }] },
    [],
  ],
  [
    'too few inotify instances for all machines of the host',
    { nodeGroups: [{ name: 'main', roles: ['control-plane', 'infra', 'ingress', 'worker'], count: 5, memory: '1Gi' }] },
    {},
    [
      'NOVA7032 This host lacks inotify instances for so many machines (128 of 144). → Run on the host: `sysctl -w fs.inotify.max_user_instances=8192`.',
    ],
  ],
  [
    'a mode of kube-proxy that the kernel does not support',
    { config: { kubeProxyMode: 'ipvs' } },
    {},
    [
      'NOVA7032 This host lacks ipvs in its kernel, which kubeProxyMode requires. → Choose another kubeProxyMode: nftables or iptables.',
    ],
  ],
  [
    'a mode that the kernel supports',
    { config: { kubeProxyMode: 'iptables' } },
    { kernel: { ...host.kernel, iptablesNft: false } },
    [],
  ],
  [
    'a kernel without most features',
    { config: { kubeProxyMode: 'ipvs' } },
    {
      kernel: {
        nftables: false,
        iptablesLegacy: false,
        iptablesNft: true,
        ipvs: false,
        bridgeNetfilter: false,
        conntrack: false,
      },
    },
    [
      'NOVA7032 This host lacks ipvs in its kernel, which kubeProxyMode requires. → Choose another kubeProxyMode: iptables.',
      'NOVA7032 This host lacks nftables in its kernel, which pod networking uses. → Use a kernel that has it.',
      'NOVA7032 This host lacks br_netfilter in its kernel, which services need. → Use a kernel that has it.',
      'NOVA7032 This host lacks nf_conntrack in its kernel, which services need. → Use a kernel that has it.',
    ],
  ],
  [
    'the image of nodes is not built',
    {},
    { builtImages: [] },
    ['NOVA7002 The image kubernetes-node is not built. → Build it: `nova-ctl image build kubernetes-node`.'],
  ],
  [
    'the images of VMs are not built',
    { provider: { type: 'local', machineKind: 'vm' } },
    {},
    [
      'NOVA7002 The image hypervisor is not built. → Build it: `nova-ctl image build hypervisor`.',
      'NOVA7002 The image kubernetes-vm is not built. → Build it: `nova-ctl image build kubernetes-vm`.',
    ],
  ],
  [
    'VMs use neither the kernel of the host nor its inotify instances',
    {
      nodeGroups: [{ name: 'main', roles: ['control-plane', 'infra'], count: 5, memory: '1Gi', machineKind: 'vm' }],
      config: { kubeProxyMode: 'ipvs' },
    },
    {
      builtImages: ['hypervisor', 'kubernetes-vm'],
      kernel: { ...host.kernel, nftables: false, bridgeNetfilter: false, conntrack: false },
    },
    [],
  ],
  [
    'memory that QEMU needs besides that of its VM',
    { nodeGroups: [{ name: 'main', roles: ['control-plane', 'infra'], memory: '16Gi', machineKind: 'vm' }] },
    { builtImages: ['hypervisor', 'kubernetes-vm'], hasKvm: false },
    [
      'NOVA7025 Not enough memory on this host: 16 GiB available, 16.6 GiB requested. → Request less, or delete something that uses it. A running machine uses all of its memory.',
    ],
  ],
  [
    'memory that QEMU needs for VMs that run already',
    {},
    { machines: [{ ...machine('idle', 'lab', '10.99.0.10', 20 * 1024), kind: 'vm' }] },
    [
      'NOVA7025 Not enough memory on this host: 3.7 GiB available, 4 GiB requested. → Request less, or delete something that uses it. A running machine uses all of its memory.',
    ],
  ],
  [
    'a machine of another kind than its node',
    { nodeGroups: [{ name: 'main', roles: ['control-plane', 'infra'], machineKind: 'vm' }] },
    { machines: [machine('demo-main-1', 'demo', '10.20.0.10', 4096)] },
    [
      'NOVA7160 The machine demo-main-1 is of the kind container, but its node needs the kind vm. → Delete the machine if nothing needs it: `nova-ctl machine delete demo-main-1`. Nova then creates it again.',
    ],
  ],
  [
    'a manually created network that overlaps the node network',
    {},
    { networks: [network('lab', { network: '10.20.0.0/16' })] },
    ['NOVA7022 10.20.0.0/24 overlaps with 10.20.0.0/16 of lab. → Choose a network that does not overlap.'],
  ],
  [
    'a network of the host that overlaps the node network',
    {},
    { ownNetworks: [{ name: 'eth0', network: '10.20.0.0/24' }] },
    ['NOVA7022 10.20.0.0/24 overlaps with 10.20.0.0/24 of eth0. → Choose a network that does not overlap.'],
  ],
  [
    'a different network with the same name',
    {},
    { networks: [network('demo')] },
    ['NOVA7021 The network demo already exists. → Choose another name, or delete the existing one first.'],
  ],
  [
    'the network of the cluster from an earlier run',
    {},
    { networks: [network('demo', { network: '10.20.0.0/24' })] },
    [],
  ],
  [
    'external addresses that another network uses',
    {},
    { networks: [network('lab', { router: { externalAddress: '172.30.0.16', transitAddress: '100.64.0.2' } })] },
    [
      'NOVA7023 The address 172.30.0.16 of lab is already in use. → Choose another address, or omit it to get a free one.',
      'NOVA7023 The address 100.64.0.2 of lab is already in use. → Choose another address, or omit it to get a free one.',
    ],
  ],
  [
    'an address of the cluster that another network took later',
    {},
    {
      networks: [
        network('demo', { network: '10.20.0.0/24', router: { externalAddress: '172.30.0.16' } }),
        network('lab', { router: { externalAddress: '172.30.0.16' } }),
      ],
    },
    [],
  ],
  [
    'a machine of another network with the name of a node, and a stray one with its address',
    {},
    {
      machines: [
        machine('demo-main-1', 'lab', '10.99.0.10'),
        machine('stray', 'demo', '10.20.0.10'),
        machine('apart', 'demo', '10.20.0.200'),
      ],
    },
    [
      'NOVA7021 The machine demo-main-1 already exists. → Choose another name, or delete the existing one first.',
      'NOVA7023 The address 10.20.0.10 of demo (stray) is already in use. → Choose another address, or omit it to get a free one.',
    ],
  ],
])('%s', (_what, declared, changes, problems) => {
  const found = preflight(plan(declared), { ...host, ...changes }).map((each) => {
    const { message, remedy } = inWords(each, 'en');
    return `${each.code} ${message} → ${remedy}`;
  });
  expect(found).toEqual(problems);
});

test('new machines need their resources, running ones what they grow by, stopped ones memory and processors', () => {
  const declared = plan({
    nodeGroups: [
      { name: 'main', roles: ['control-plane', 'infra', 'ingress'], count: 3, cpu: 4, memory: '4G' },
      { name: 'work', roles: ['worker'], count: 2, cpu: 1, memory: '1Gi' },
    ],
  });
  const machines = [
    machine('demo-main-1', 'demo', '10.20.0.10', 3000),
    { ...machine('demo-main-2', 'demo', '10.20.0.11', 3000), state: 'stopped' as const },
    machine('demo-work-1', 'demo', '10.20.0.13', 2048),
    machine('removed', 'demo', '10.20.0.20', 2048),
  ];
  expect(resourcesOf(declared, { ...host, machines })).toEqual({
    memory: { needed: (815 + 2 * 3815 + 1024) * 1024 ** 2, available: 16 * gibibyte },
    disk: { needed: 2 * 2 * gibibyte, available: 60 * gibibyte },
    processors: { needed: 2 + 2 * 4 + 1, available: 2 },
  });
});

test('the first VM needs the disk that all VMs of its image share', () => {
  const declared = plan({ provider: { type: 'local', machineKind: 'vm' } });
  const there = { ...machine('other', 'lab', '10.99.0.10'), kind: 'vm' as const };
  const disks = [[], [there]].map((machines) => resourcesOf(declared, { ...host, machines }).disk.needed / gibibyte);
  expect(disks).toEqual([4, 2]);
});
