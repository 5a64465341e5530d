import { describe, expect, test } from 'vitest';
import { type LoadedDocument, loadDocuments } from '../documents.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { describe as inWords } from '../problem.ts';
import { check, existing, externalNetwork, manifest, type Parts, problems, zvirt } from '../testing.ts';

const config = 'spec.clusterConfiguration';
const dns =
  'extraOptions: { dns: { customerDns: { enable: true, forwardZones: [{ name: demo.nova.local, server: 10.0.0.1 }] } } }';

function installed(parts: Parts): { installed: Infrastructure['spec'] } {
  const [document] = loadDocuments([{ name: 'installed.yaml', text: manifest(parts) }]).documents;
  return { installed: (document as LoadedDocument<Infrastructure>).value.spec };
}

test('a change of any immutable field is refused', () => {
  const changed = [
    'clusterName: other',
    'nodeNetwork: 10.21.0.0/24',
    'podNetwork: 10.234.64.0/18',
    'podNetworkNodePrefix: 25',
    'serviceNetwork: 10.234.0.0/18',
    'k8sDefaultDnsZone: other.local',
  ].join('\n');
  expect(
    problems(
      manifest({ ...existing, nodeGroups: existing.nodeGroups?.replace('.20.', '.21.') ?? '', config: changed }),
      installed({}),
    ),
  ).toEqual([
    'NOVA4001 spec.provider.type 5:21 existing',
    `NOVA4001 ${config}.clusterName 9:18 other`,
    `NOVA4001 ${config}.k8sDefaultDnsZone 14:24 other.local`,
    `NOVA4001 ${config}.nodeNetwork 10:18 10.21.0.0/24`,
    `NOVA4001 ${config}.podNetwork 11:17 10.234.64.0/18`,
    `NOVA4001 ${config}.podNetworkNodePrefix 12:27 25`,
    `NOVA4001 ${config}.serviceNetwork 13:21 10.234.0.0/18`,
  ]);
});

test.each<[promise: string, before: Parts, after: Parts, problems: string[]]>([
  ['an unchanged document is accepted', { config: dns }, { config: dns }, []],
  ['an explicit default is accepted', {}, { config: 'clusterName: demo\npodNetwork: 10.233.64.0/18' }, []],
  ['other fields can change', {}, { config: 'kubeProxyMode: iptables' }, []],
  [
    'a default instead of the installed value is refused',
    { config: 'nodeNetwork: 10.21.0.0/24' },
    {},
    [`NOVA4001 ${config}.nodeNetwork 7:3 clusterConfiguration`],
  ],
  [
    'DNS cannot change to external mode',
    {},
    { config: dns },
    [`NOVA4002 ${config}.extraOptions.dns.customerDns.forwardZones[0].name 9:80 demo.nova.local`],
  ],
  ['DNS can change to internal mode', { config: dns }, {}, []],
  ['delivery cannot change to none', {}, { config: 'delivery: none' }, [`NOVA4001 ${config}.delivery 9:15 none`]],
  ['delivery can be added later', { config: 'delivery: none' }, {}, []],
])('%s', (_, before, after, expected) => {
  expect(problems(manifest(after), installed(before))).toEqual(expected);
});

const grouped = (roles: string, count = 1) =>
  `[{ name: main, roles: [control-plane, infra] }, { name: more, roles: ${roles}, count: ${count} }]`;

test.each<[promise: string, before: string, after: string, problems: string[]]>([
  [
    'control-plane cannot be added to the roles of a group with nodes',
    grouped('[worker]', 2),
    grouped('[worker, control-plane]', 2),
    ['NOVA3070 spec.nodeGroups[1].roles 6:77 roles'],
  ],
  [
    'control-plane cannot be removed from the roles of a group with nodes',
    grouped('[control-plane, worker]', 2),
    grouped('[worker]', 2),
    ['NOVA3071 spec.nodeGroups[1].roles 6:77 roles'],
  ],
  ['other roles can change', grouped('[worker]'), grouped('[infra, ingress]'), []],
  [
    'control-plane can be added to the roles of an empty group',
    grouped('[worker]', 0),
    grouped('[control-plane]', 2),
    [],
  ],
  [
    'a group can be replaced by a group with other roles',
    grouped('[control-plane]', 2),
    grouped('[worker]', 2).replace('more', 'other'),
    [],
  ],
])('%s', (_, before, after, expected) => {
  expect(problems(manifest({ nodeGroups: after }), installed({ nodeGroups: before }))).toEqual(expected);
});

test.each<[promise: string, groups: string, problems: string[]]>([
  [
    'a host cannot move to a group of control planes',
    '[{ name: main, roles: [control-plane, infra], hosts: [{ name: n1, address: 10.20.0.21 }, { name: n2, address: 10.20.0.22 }, { name: n3, address: 10.20.0.23 }] }]',
    ['NOVA3070 spec.nodeGroups[0].roles 6:30 roles'],
  ],
  [
    'the address of a host cannot change',
    '[{ name: main, roles: [control-plane, infra], hosts: [{ name: n1, address: 10.20.0.31 }] }, { name: more, roles: [worker], hosts: [{ name: n2, address: 10.20.0.22 }] }]',
    ['NOVA3072 spec.nodeGroups[0].hosts[0].address 6:90 10.20.0.31'],
  ],
  [
    'hosts can be added and removed',
    '[{ name: main, roles: [control-plane, infra], hosts: [{ name: n1, address: 10.20.0.21 }] }, { name: more, roles: [worker], hosts: [{ name: n4, address: 10.20.0.24 }] }]',
    [],
  ],
])('%s', (_, nodeGroups, expected) => {
  const before =
    '[{ name: main, roles: [control-plane, infra], hosts: [{ name: n1, address: 10.20.0.21 }] }, { name: more, roles: [worker], hosts: [{ name: n2, address: 10.20.0.22 }] }]';
  const config = 'k8sAPIAddress: 10.20.0.9';
  expect(
    problems(manifest({ ...existing, nodeGroups, config }), installed({ ...existing, nodeGroups: before, config })),
  ).toEqual(expected);
});

describe('the kind of installed machines', () => {
  const groups = (more: string, kind = '') =>
    `[{ name: main, roles: [control-plane, infra]${kind} }, { name: more, roles: [worker]${more} }]`;
  const kindProblems = (nodeGroups: string, provider = '{ type: local }') =>
    problems(manifest({ nodeGroups, provider }), {
      ...installed({ nodeGroups }),
      machineKinds: {
        default: 'container',
        byGroup: new Map([
          ['main', 'container'],
          ['more', 'vm'],
        ]),
      },
    });

  test('can be declared as it is', () => {
    expect(kindProblems(groups(', machineKind: vm'))).toEqual([]);
    expect(
      kindProblems(groups(', machineKind: vm', ', machineKind: container'), '{ type: local, machineKind: vm }'),
    ).toEqual([]);
    expect(kindProblems(groups('', ', machineKind: container'), '{ type: local, machineKind: vm }')).toEqual([]);
  });

  test('cannot change, whether the group or the provider declares it', () => {
    expect(kindProblems(groups(', machineKind: vm', ', machineKind: vm'))).toEqual([
      'NOVA3074 spec.nodeGroups[0].machineKind 6:74 vm',
    ]);
    expect(kindProblems(groups(''), '{ type: local, machineKind: vm }')).toEqual([
      'NOVA3074 spec.provider.machineKind 5:41 vm',
    ]);
  });

  test('cannot change to the default of the cluster', () => {
    expect(kindProblems(groups(''))).toEqual(['NOVA3074 spec.nodeGroups[1].machineKind 6:65 name']);
  });

  test('does not matter once all nodes of the group are removed, nor in a new group', () => {
    expect(kindProblems(groups(', count: 0'))).toEqual([]);
    expect(
      kindProblems(`[{ name: main, roles: [control-plane, infra] }, { name: new, roles: [worker], machineKind: vm }]`),
    ).toEqual([]);
  });
});

test('the external network is immutable, but its addresses can change', () => {
  const moved = externalNetwork.replaceAll('10.250.24.', '10.250.25.');
  expect(problems(manifest({ ...zvirt, spec: moved }), installed(zvirt))).toEqual([
    'NOVA4001 spec.externalNetwork.network 9:31 10.250.25.0/24',
    'NOVA4001 spec.externalNetwork.gateway 9:56 10.250.25.1',
  ]);
  expect(problems(manifest({ ...zvirt, spec: externalNetwork.replace('.190', '.199') }), installed(zvirt))).toEqual([]);
  expect(problems(manifest({ spec: externalNetwork }), installed({}))).toEqual(
    expect.arrayContaining([
      'NOVA4001 spec.externalNetwork.network 9:31 10.250.24.0/24',
      'NOVA4001 spec.externalNetwork.gateway 9:56 10.250.24.1',
    ]),
  );
});

test('the message about an immutable field has both values', () => {
  const [found] = check(manifest({ config: 'clusterName: other' }), installed({}));
  expect(found && inWords(found, 'en').message).toBe(
    'clusterName cannot change after installation: it is demo, but the manifest has other.',
  );
});
