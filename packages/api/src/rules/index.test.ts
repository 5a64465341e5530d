import { expect, test } from 'vitest';
import { existing, manifest, ovirt, type Parts, problems, vsphere, zvirt } from '../testing.ts';

const balanced = 'k8sAPIAddress: 10.20.0.10';
const three = (hosts = '') =>
  `[{ name: cp, roles: [control-plane], count: 3${hosts} }, { name: main, roles: [infra, worker], count: 2 }]`;
const hosts = [1, 2, 3].map((n) => `{ name: n${n}, address: 10.20.0.2${n} }`).join(', ');

test.each<[provider: string, single: Parts, highlyAvailable: Parts]>([
  ['local', {}, { nodeGroups: three() }],
  [
    'existing',
    existing,
    { ...existing, nodeGroups: `[{ name: a, roles: [control-plane, infra], hosts: [${hosts}] }]`, config: balanced },
  ],
  ['zvirt', zvirt, { ...zvirt, nodeGroups: three() }],
  ['ovirt', ovirt, { ...ovirt, nodeGroups: three() }],
  ['vsphere', vsphere, { ...vsphere, nodeGroups: three(), config: balanced }],
])('the smallest manifests for %s, single and highly available, have no problems', (_, single, highlyAvailable) => {
  expect(problems(manifest(single))).toEqual([]);
  expect(problems(manifest(highlyAvailable))).toEqual([]);
});

const config = 'spec.clusterConfiguration';

test.each<[promise: string, parts: Parts, problems: string[]]>([
  [
    'rules check the other fields if one field is invalid',
    { config: 'cni: calcio\npodNetwork: 10.20.0.0/16' },
    [`NOVA2007 ${config}.cni 9:10 calcio`, `NOVA3001 ${config}.podNetwork 10:17 10.20.0.0/16`],
  ],
  [
    'a network is not compared with an invalid one',
    { config: 'podNetwork: 10.20.0.0/16\nnodeNetwork: nonsense' },
    [`NOVA2009 ${config}.nodeNetwork 10:18 nonsense`],
  ],
  [
    'nodes are not counted if a count is invalid',
    { nodeGroups: '[{ name: a, roles: [control-plane, infra], count: x }, { name: b, roles: [control-plane] }]' },
    ['NOVA2006 spec.nodeGroups[0].count 6:65 x'],
  ],
  [
    'invalid settings of a provider are not reported as missing',
    { ...zvirt, provider: '{ type: zvirt, zvirt: 5 }' },
    ['NOVA2006 spec.provider.zvirt 5:35 5'],
  ],
  [
    'an invalid address of the API is not reported as missing',
    { ...vsphere, nodeGroups: three(), config: 'k8sAPIAddress: nonsense' },
    [`NOVA2009 ${config}.k8sAPIAddress 13:20 nonsense`],
  ],
  [
    'servers are not reported as unused if enable is invalid',
    { config: 'extraOptions: { dns: { customerDns: { enable: 1, servers: [10.0.0.1] } } }' },
    [`NOVA2006 ${config}.extraOptions.dns.customerDns.enable 9:51 1`],
  ],
])('%s', (_, parts, expected) => {
  expect(problems(manifest(parts))).toEqual(expected);
});
