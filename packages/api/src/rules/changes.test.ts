import { expect, test } from 'vitest';
import { type LoadedDocument, loadDocuments } from '../documents.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { describe } from '../problem.ts';
import { check, existing, manifest, type Parts, problems } from '../testing.ts';

const config = 'spec.clusterConfiguration';
const dns =
  'extraOptions: { dns: { customerDns: { enable: true, forwardZones: [{ name: demo.nova.local, server: 10.0.0.1 }] } } }';

function installed(parts: Parts): { installed: Infrastructure['spec'] } {
  const [document] = loadDocuments([{ name: 'installed.yaml', text: manifest(parts) }]).documents;
  return { installed: (document as LoadedDocument<Infrastructure>).value.spec };
}

test('every field that cannot change is refused when it does', () => {
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
  ['nothing changed is no change', { config: dns }, { config: dns }, []],
  ['a default written out is no change', {}, { config: 'clusterName: demo\npodNetwork: 10.233.64.0/18' }, []],
  ['other fields may change', {}, { config: 'kubeProxyMode: iptables' }, []],
  [
    'a default put in place of a value is refused',
    { config: 'nodeNetwork: 10.21.0.0/24' },
    {},
    [`NOVA4001 ${config}.nodeNetwork 7:3 clusterConfiguration`],
  ],
  [
    'DNS cannot become external',
    {},
    { config: dns },
    [`NOVA4002 ${config}.extraOptions.dns.customerDns.forwardZones[0].name 9:80 demo.nova.local`],
  ],
  ['DNS may become internal', { config: dns }, {}, []],
])('%s', (_, before, after, expected) => {
  expect(problems(manifest(after), installed(before))).toEqual(expected);
});

test('both values of a field that cannot change are told', () => {
  const [found] = check(manifest({ config: 'clusterName: other' }), installed({}));
  expect(found && describe(found, 'en').message).toBe(
    'clusterName cannot change after installation: it is demo, and other is asked for.',
  );
});
