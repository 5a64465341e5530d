import { expect, test } from 'vitest';
import { existing, externalNetwork, manifest, type Parts, problems, vsphere, zvirt } from '../testing.ts';

const hosts = (...addresses: string[]) =>
  addresses.map((address, index) => `{ name: n${index}, address: ${address} }`).join(', ');

test.each([1, 3, 5])('%i control-plane nodes are accepted', (count) => {
  expect(problems(manifest({ nodeGroups: `[{ name: a, roles: [control-plane, infra], count: ${count} }]` }))).toEqual(
    [],
  );
});

test.each<[promise: string, parts: Parts, problems: string[]]>([
  [
    'an even number of control-plane nodes is refused',
    { nodeGroups: '[{ name: a, roles: [control-plane, infra], count: 2 }]' },
    ['NOVA3005 spec.nodeGroups[0].count 6:65 2'],
  ],
  [
    'control-plane nodes are counted over all groups',
    { nodeGroups: '[{ name: a, roles: [control-plane, infra] }, { name: b, roles: [control-plane] }]' },
    ['NOVA3005 spec.nodeGroups[0].roles 6:27 roles'],
  ],
  [
    'nodes that are too small are refused, such as numbers without a suffix',
    { nodeGroups: "[{ name: a, roles: [control-plane, infra], memory: '4096', disk: 999Mi }]" },
    ["NOVA3050 spec.nodeGroups[0].memory 6:66 '4096'", 'NOVA3050 spec.nodeGroups[0].disk 6:80 999Mi'],
  ],
  [
    'every suffix of a quantity is accepted',
    {
      nodeGroups: `[{ name: a, roles: [control-plane, infra], memory: 1.5G, disk: 1Ti },
        { name: b, roles: [worker], memory: '4294967296', disk: '4e10' },
        { name: c, roles: [worker], memory: 4194304Ki, disk: 0.5Pi }]`,
    },
    [],
  ],
  [
    'a cluster without a control plane is refused',
    { nodeGroups: '[{ name: a, roles: [infra, worker] }]' },
    ['NOVA3005 spec.nodeGroups 6:3 nodeGroups'],
  ],
  [
    'a provider without its settings and its external network is refused',
    { provider: '{ type: zvirt }' },
    ['NOVA3011 spec.provider.type 5:21 zvirt', 'NOVA3011 spec.provider.type 5:21 zvirt'],
  ],
  [
    'settings of another provider are refused',
    { provider: zvirt.provider?.replace('type: zvirt', 'type: local') ?? '' },
    ['NOVA3012 spec.provider.zvirt 5:28 zvirt'],
  ],
  [
    'an external network is refused if the provider has no SDN',
    { ...vsphere, spec: externalNetwork },
    ['NOVA3012 spec.externalNetwork 13:3 externalNetwork'],
  ],
  [
    'an address of the API is refused if the provider has SDN',
    { config: 'k8sAPIAddress: 10.20.0.9' },
    ['NOVA3012 spec.clusterConfiguration.k8sAPIAddress 9:20 10.20.0.9'],
  ],
  [
    'the kind of machines is refused for other providers than local',
    {
      ...existing,
      provider: '{ type: existing, machineKind: vm }',
      nodeGroups: existing.nodeGroups?.replace('hosts:', 'machineKind: container, hosts:') ?? '',
    },
    ['NOVA3012 spec.provider.machineKind 5:44 vm', 'NOVA3012 spec.nodeGroups[0].machineKind 6:74 container'],
  ],
  [
    'the kind of machines can be declared for all groups and for each of them',
    {
      provider: '{ type: local, machineKind: vm }',
      nodeGroups: '[{ name: a, roles: [control-plane, infra] }, { name: b, roles: [worker], machineKind: container }]',
    },
    [],
  ],
  [
    'an unknown kind of machines is refused',
    { provider: '{ type: local, machineKind: wasm }' },
    ['NOVA2007 spec.provider.machineKind 5:41 wasm'],
  ],
  [
    'a group without hosts is refused for the provider existing',
    { ...existing, nodeGroups: '[{ name: a, roles: [control-plane, infra] }]' },
    ['NOVA3011 spec.nodeGroups[0] 6:18 name'],
  ],
  [
    'hosts are refused for other providers',
    { nodeGroups: existing.nodeGroups ?? '' },
    ['NOVA3012 spec.nodeGroups[0].hosts 6:61 hosts'],
  ],
  [
    'a count that differs from the number of hosts is refused',
    { ...existing, nodeGroups: existing.nodeGroups?.replace('hosts:', 'count: 3, hosts:') ?? '' },
    ['NOVA3020 spec.nodeGroups[0].count 6:68 3'],
  ],
  [
    'a count equal to the number of hosts is accepted',
    { ...existing, nodeGroups: existing.nodeGroups?.replace('hosts:', 'count: 1, hosts:') ?? '' },
    [],
  ],
  [
    'several control-plane nodes without SDN and without an address of the API are refused',
    { ...vsphere, nodeGroups: '[{ name: a, roles: [control-plane, infra], count: 3 }]' },
    ['NOVA3021 spec.clusterConfiguration.k8sAPIAddress 11:3 clusterConfiguration'],
  ],
  [
    'a duplicate address in a group is refused',
    {
      ...existing,
      nodeGroups: `[{ name: a, roles: [control-plane, infra], hosts: [${hosts('10.20.0.5', '10.20.0.6', '10.20.0.5')}] }]`,
      config: 'k8sAPIAddress: 10.20.0.9',
    },
    ['NOVA3013 spec.nodeGroups[0].hosts[2].address 6:155 10.20.0.5'],
  ],
  [
    'duplicate names and addresses in two groups are refused',
    {
      ...existing,
      nodeGroups: `
        - { name: a, roles: [control-plane, infra], hosts: [${hosts('10.20.0.5')}] }
        - { name: b, roles: [worker], hosts: [${hosts('10.20.0.5')}] }`,
    },
    [
      'NOVA3013 spec.nodeGroups[1].hosts[0].name 8:55 n0',
      'NOVA3013 spec.nodeGroups[1].hosts[0].address 8:68 10.20.0.5',
    ],
  ],
])('%s', (_, parts, expected) => {
  expect(problems(manifest(parts))).toEqual(expected);
});
