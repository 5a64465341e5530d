import { expect, test } from 'vitest';
import { loadDocuments } from '../documents.ts';
import { type Infrastructure, maxClusterName } from '../infrastructure.ts';
import { manifest, type Parts, problems, vsphere } from '../testing.ts';

const config = 'spec.clusterConfiguration';
const customer = `${config}.extraOptions.dns.customerDns`;
const customerDns = (dns: string) => `extraOptions:\n  dns:\n    customerDns: { ${dns} }`;

test.each<[promise: string, parts: Parts, problems: string[]]>([
  [
    'a DNS zone of services inside the base domain is refused',
    { config: 'k8sDefaultDnsZone: cluster.demo.nova.local' },
    [`NOVA3026 ${config}.k8sDefaultDnsZone 9:24 cluster.demo.nova.local`],
  ],
  [
    'a DNS zone of services around the base domain is refused',
    { config: 'k8sDefaultDnsZone: nova.local' },
    [`NOVA3026 ${config}.k8sDefaultDnsZone 9:24 nova.local`],
  ],
  [
    'a zone with only the same suffix of characters does not overlap the base domain',
    { config: 'k8sDefaultDnsZone: a.xdemo.nova.local' },
    [],
  ],
  [
    'names of the API inside the zone of services are refused',
    { config: 'k8sAPIDefaultFqdn: api.cluster.local\nk8sAPIAdditionalSANs: [api.local, cluster.local]' },
    [
      `NOVA3015 ${config}.k8sAPIDefaultFqdn 9:24 api.cluster.local`,
      `NOVA3015 ${config}.k8sAPIAdditionalSANs[1] 10:39 cluster.local`,
    ],
  ],
  [
    'the API cannot have the base domain or a name of a platform service',
    { config: 'k8sAPIDefaultFqdn: demo.nova.local\nk8sAPIAdditionalSANs: [nova-oauth.demo.nova.local]' },
    [
      `NOVA3016 ${config}.k8sAPIDefaultFqdn 9:24 demo.nova.local`,
      `NOVA3016 ${config}.k8sAPIAdditionalSANs[0] 10:28 nova-oauth.demo.nova.local`,
    ],
  ],
  ['the API can have another name under the base domain', { config: 'k8sAPIDefaultFqdn: api.demo.nova.local' }, []],
  [
    'zones and servers without enable are refused',
    { config: customerDns('forwardZones: [{ name: corp.local, server: 10.0.0.1 }], servers: [10.0.0.1]') },
    [`NOVA3019 ${customer}.forwardZones 11:24 forwardZones`, `NOVA3019 ${customer}.servers 11:80 servers`],
  ],
  [
    'a forward zone inside the zone of services is refused',
    { config: customerDns('enable: true, forwardZones: [{ name: x.cluster.local, server: 10.0.0.1 }]') },
    [`NOVA3015 ${customer}.forwardZones[0].name 11:61 x.cluster.local`],
  ],
  [
    'a forward zone server inside the pod network is refused',
    { config: customerDns('enable: true, forwardZones: [{ name: corp.local, server: 10.233.64.5 }]') },
    [`NOVA3025 ${customer}.forwardZones[0].server 11:81 10.233.64.5`],
  ],
  [
    'servers inside the networks of services and nodes are refused',
    { config: customerDns('enable: true, servers: [10.0.0.1, 10.233.0.10, 10.20.0.5]') },
    [`NOVA3025 ${customer}.servers[1] 11:58 10.233.0.10`, `NOVA3025 ${customer}.servers[2] 11:71 10.20.0.5`],
  ],
  [
    'a server in an existing node network is accepted',
    { ...vsphere, config: customerDns('enable: true, servers: [10.20.0.5]') },
    [],
  ],
])('%s', (_, parts, expected) => {
  expect(problems(manifest(parts))).toEqual(expected);
});

test('the base domain of another cluster is refused; a domain inside it is accepted', () => {
  const other = (dnsBaseDomain: string) => ({
    clusters: [{ name: 'other', nodeNetwork: '10.77.0.0/24', dnsBaseDomain }],
  });
  expect(problems(manifest(), other('demo.nova.local'))).toEqual([
    `NOVA3031 ${config}.dnsBaseDomain 8:20 demo.nova.local`,
  ]);
  expect(problems(manifest(), other('inner.demo.nova.local'))).toEqual([]);
});

test.each<[domain: string, problems: string[]]>([
  ['nova.internal', [`NOVA3040 ${config}.dnsBaseDomain 8:20 nova.internal`]],
  ['demo.nova.internal', [`NOVA3040 ${config}.dnsBaseDomain 8:20 demo.nova.internal`]],
  ['a.hub.universe.nova.internal', [`NOVA3040 ${config}.dnsBaseDomain 8:20 a.hub.universe.nova.internal`]],
  ['internal', [`NOVA3040 ${config}.dnsBaseDomain 8:20 internal`]],
  ['platform.company', [`NOVA3040 ${config}.dnsBaseDomain 8:20 platform.company`]],
  ['demo.supernova.internal', []],
  ['demo.company', []],
])('the base domain %s must not overlap the zones of the platform', (domain, expected) => {
  const declared = manifest().replace('demo.nova.local', domain);
  expect(problems(declared, { siteZones: ['nova.internal', 'universe.platform.company'] })).toEqual(expected);
});

test('an installed cluster keeps a base domain that overlaps the platform', () => {
  const declared = manifest().replace('demo.nova.local', 'demo.nova.internal');
  const [document] = loadDocuments([{ name: 'cluster.yaml', text: declared }]).documents;
  const installed = document?.value as Infrastructure | undefined;
  expect(problems(declared, installed && { installed: installed.spec })).toEqual([]);
});

test('a base domain whose first label is too long requires clusterName', () => {
  const named = (length: number) => manifest().replace('demo', 'd'.repeat(length));
  const tooLong = named(maxClusterName + 1);
  expect(problems(named(maxClusterName))).toEqual([]);
  expect(problems(tooLong)).toEqual([
    `NOVA3014 ${config}.dnsBaseDomain 8:20 ${'d'.repeat(maxClusterName + 1)}.nova.local`,
  ]);
  expect(problems(`${tooLong}    clusterName: demo\n`)).toEqual([]);
});
