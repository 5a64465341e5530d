import { expect, test } from 'vitest';
import { describe } from '../problem.ts';
import { check, existing, externalNetwork, manifest, type Parts, problems, vsphere, zvirt } from '../testing.ts';

const config = 'spec.clusterConfiguration';

test.each<[promise: string, parts: Parts, problems: string[]]>([
  [
    'a pod network that overlaps the node network is refused',
    { config: 'podNetwork: 10.20.0.0/16' },
    [`NOVA3001 ${config}.podNetwork 9:17 10.20.0.0/16`],
  ],
  [
    'an overlap with a default network is reported at the parent of the default',
    { config: 'nodeNetwork: 10.233.0.0/24' },
    [`NOVA3001 ${config}.serviceNetwork 7:3 clusterConfiguration`],
  ],
  [
    'an external network that overlaps the service network is refused',
    { ...zvirt, config: 'serviceNetwork: 10.250.24.0/24' },
    ['NOVA3001 spec.externalNetwork.network 10:31 10.250.24.0/24'],
  ],
  [
    'an unsupported cni is refused, together with all other problems',
    { config: 'cni: cilium\npodNetwork: 10.20.0.0/16' },
    [`NOVA3001 ${config}.podNetwork 10:17 10.20.0.0/16`, `NOVA3028 ${config}.cni 9:10 cilium`],
  ],
  [
    'a node network that overlaps the integration network is refused',
    { config: 'nodeNetwork: 10.255.0.0/24' },
    [`NOVA3003 ${config}.nodeNetwork 9:18 10.255.0.0/24`],
  ],
  [
    'a service network that contains the transit network is refused',
    { config: 'serviceNetwork: 100.64.0.0/12' },
    [`NOVA3003 ${config}.serviceNetwork 9:21 100.64.0.0/12`],
  ],
  [
    'a pod network that overlaps the external network of the site is refused',
    { config: 'podNetwork: 172.30.0.0/16' },
    [`NOVA3003 ${config}.podNetwork 9:17 172.30.0.0/16`],
  ],
  [
    'clusters with their own external network can use that of the site',
    { ...zvirt, config: 'podNetwork: 172.30.0.0/16' },
    [],
  ],
  [
    'clusters without SDN can use the external network of the site',
    { ...vsphere, config: 'podNetwork: 172.30.0.0/16' },
    [],
  ],
  [
    'a local cluster can declare the external network of the site',
    { spec: 'externalNetwork: { network: 172.30.0.0/16, gateway: 172.30.0.1, addresses: [172.30.9.1-172.30.9.9] }' },
    [],
  ],
  [
    'a local cluster can use a part of the external network of the site',
    { spec: 'externalNetwork: { network: 172.30.9.0/24, gateway: 172.30.0.1, addresses: [172.30.9.1-172.30.9.9] }' },
    [],
  ],
  [
    'a local cluster cannot have another external network',
    { spec: externalNetwork },
    [
      'NOVA3051 spec.externalNetwork.network 9:31 10.250.24.0/24',
      'NOVA3052 spec.externalNetwork.gateway 9:56 10.250.24.1',
      'NOVA3051 spec.externalNetwork.addresses[0] 9:81 10.250.24.171-10.250.24.190',
    ],
  ],
  [
    'a local cluster cannot use reserved addresses of the site',
    { spec: 'externalNetwork: { network: 172.30.0.0/24, gateway: 172.30.0.1, addresses: [172.30.0.2-172.30.0.30] }' },
    ['NOVA3051 spec.externalNetwork.addresses[0] 9:79 172.30.0.2-172.30.0.30'],
  ],
  [
    'a pod network cannot overlap the declared external network of the site',
    {
      spec: 'externalNetwork: { network: 172.30.9.0/24, gateway: 172.30.0.1, addresses: [172.30.9.1-172.30.9.9] }',
      config: 'podNetwork: 172.30.64.0/18',
    },
    [`NOVA3003 ${config}.podNetwork 9:17 172.30.64.0/18`],
  ],
  [
    'an address inside a network is not a network',
    { ...zvirt, spec: externalNetwork.replace('.0/24', '.9/24'), config: 'podNetwork: 10.233.64.1/18' },
    [`NOVA3004 ${config}.podNetwork 9:17 10.233.64.1/18`, 'NOVA3004 spec.externalNetwork.network 10:31 10.250.24.9/24'],
  ],
  [
    'networks of the smallest and the largest size are accepted',
    { config: 'nodeNetwork: 10.20.0.0/28\npodNetwork: 11.0.0.0/8\nserviceNetwork: 10.32.0.0/12' },
    [],
  ],
  [
    'networks that are too small are refused',
    {
      ...zvirt,
      spec: externalNetwork.replace('/24', '/30').replace(/171.*190/, '2'),
      config: 'nodeNetwork: 10.20.0.0/29\npodNetwork: 10.233.64.0/25\nserviceNetwork: 10.233.0.0/27',
    },
    [
      `NOVA3006 ${config}.nodeNetwork 9:18 10.20.0.0/29`,
      `NOVA3006 ${config}.podNetwork 10:17 10.233.64.0/25`,
      `NOVA3006 ${config}.serviceNetwork 11:21 10.233.0.0/27`,
      'NOVA3006 spec.externalNetwork.network 12:31 10.250.24.0/30',
    ],
  ],
  [
    'networks that are too large are refused',
    { config: 'podNetwork: 12.0.0.0/7\nserviceNetwork: 16.0.0.0/11' },
    [`NOVA3006 ${config}.podNetwork 9:17 12.0.0.0/7`, `NOVA3006 ${config}.serviceNetwork 10:21 16.0.0.0/11`],
  ],
  ['a pod network for one node is accepted', { config: 'podNetwork: 10.233.64.0/25\npodNetworkNodePrefix: 25' }, []],
  [
    'a gateway and addresses of vSphere outside the node network are refused',
    { ...vsphere, config: 'nodeNetwork: 10.21.0.0/24' },
    ['NOVA3018 spec.provider.vsphere.gateway 9:72 ******', 'NOVA3018 spec.provider.vsphere.addresses[0] 9:95 ******'],
  ],
  [
    'a host outside the node network is refused',
    { ...existing, config: 'nodeNetwork: 10.21.0.0/24' },
    ['NOVA3018 spec.nodeGroups[0].hosts[0].address 6:90 10.20.0.21'],
  ],
  [
    'a gateway and addresses outside their external network are refused, even if only partly outside',
    {
      ...zvirt,
      spec: 'externalNetwork: { network: 10.250.24.0/24, gateway: 10.0.0.1, addresses: [10.250.24.250-10.250.25.9] }',
    },
    [
      'NOVA3018 spec.externalNetwork.gateway 9:56 10.0.0.1',
      'NOVA3018 spec.externalNetwork.addresses[0] 9:78 10.250.24.250-10.250.25.9',
    ],
  ],
  [
    'a range that ends before it begins is refused',
    { ...zvirt, spec: externalNetwork.replace(/171.*190/, '9-10.250.24.8') },
    ['NOVA3022 spec.externalNetwork.addresses[0] 9:81 10.250.24.9-10.250.24.8'],
  ],
  [
    'addresses of the API inside the networks of pods and services are refused',
    { ...existing, config: 'k8sAPIAddress: 10.233.64.5\nk8sAPIAdditionalSANs: [10.20.0.9, 10.233.0.1]' },
    [
      `NOVA3017 ${config}.k8sAPIAdditionalSANs[1] 10:39 10.233.0.1`,
      `NOVA3017 ${config}.k8sAPIAddress 9:20 10.233.64.5`,
    ],
  ],
])('%s', (_, parts, expected) => {
  expect(problems(manifest(parts))).toEqual(expected);
});

test('a node network that overlaps that of another cluster is refused', () => {
  const clusters = [
    { name: 'near', nodeNetwork: '10.20.0.128/25', dnsBaseDomain: 'near.local' },
    { name: 'far', nodeNetwork: '10.21.0.0/24', dnsBaseDomain: 'far.local' },
  ];
  expect(problems(manifest({ config: 'nodeNetwork: 10.20.0.0/24' }), { clusters })).toEqual([
    `NOVA3002 ${config}.nodeNetwork 9:18 10.20.0.0/24`,
  ]);
});

test('the remedy suggests the first free network', () => {
  const taken = {
    siteNetworks: [{ name: 'transit' as const, network: '10.0.0.0/24' }],
    clusters: [{ name: 'other', nodeNetwork: '10.0.2.0/23', dnsBaseDomain: 'other.local' }],
  };
  const found = check(manifest({ config: 'nodeNetwork: 10.0.0.0/23' }), taken);
  expect(found.map((each) => describe(each, 'en').remedy)).toEqual([
    'That network belongs to the platform; 10.0.4.0/23 is free.',
  ]);
});

test('the remedy reports that no network of that size is free', () => {
  const [found] = check(manifest({ config: 'podNetwork: 100.0.0.0/7' })).filter(({ code }) => code === 'NOVA3003');
  expect(found && describe(found, 'en').remedy).toBe(
    'That network belongs to the platform; no network of that size is free in 10.0.0.0/8.',
  );
});
