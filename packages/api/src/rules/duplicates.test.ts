import { expect, test } from 'vitest';
import { existing, manifest, type Parts, problems } from '../testing.ts';

const config = 'spec.clusterConfiguration';
const zone = '{ name: corp.local, server: 10.0.0.1 }';
const host = (name: string, number: number) => `{ name: ${name}, address: 10.20.0.${number} }`;
const control = `{ name: a, roles: [control-plane, infra], hosts: [${host('n0', 4)}] }`;

test.each<[promise: string, parts: Parts, problems: string[]]>([
  [
    'a duplicate role of a group is refused',
    { nodeGroups: '[{ name: a, roles: [control-plane, infra, infra] }]' },
    ['NOVA3013 spec.nodeGroups[0].roles[2] 6:57 infra'],
  ],
  [
    'two groups with the same name are refused',
    { nodeGroups: '[{ name: a, roles: [control-plane, infra] }, { name: a, roles: [worker] }]' },
    ['NOVA3013 spec.nodeGroups[1].name 6:68 a'],
  ],
  [
    'two hosts with the same name are refused',
    {
      ...existing,
      nodeGroups: `[${control}, { name: b, roles: [worker], hosts: [${host('n1', 5)}, ${host('n1', 6)}] }]`,
    },
    ['NOVA3013 spec.nodeGroups[1].hosts[1].name 6:181 n1'],
  ],
  [
    'two entries for one module are refused',
    { config: 'modules: [{ name: ingress }, { name: ingress }]' },
    [`NOVA3013 ${config}.modules[1].name 9:42 ingress`],
  ],
  [
    'a name that occurs three times is reported twice',
    { config: 'k8sAPIAdditionalSANs: [a.b, a.b, a.b]' },
    [`NOVA3013 ${config}.k8sAPIAdditionalSANs[1] 9:33 a.b`, `NOVA3013 ${config}.k8sAPIAdditionalSANs[2] 9:38 a.b`],
  ],
  [
    'a zone forwarded twice is refused',
    { config: `extraOptions:\n  dns:\n    customerDns: { enable: true, forwardZones: [${zone}, ${zone}] }` },
    [`NOVA3013 ${config}.extraOptions.dns.customerDns.forwardZones[1].name 11:101 corp.local`],
  ],
  [
    'a repeated taint key is accepted, because the effects can differ',
    {
      nodeGroups:
        '[{ name: a, roles: [control-plane, infra], taints: [{ key: k, effect: NoSchedule }, { key: k, effect: NoExecute }] }]',
    },
    [],
  ],
])('%s', (_, parts, expected) => {
  expect(problems(manifest(parts))).toEqual(expected);
});
