import { platformServices } from '@nova-platform/api';
import { expect, test } from 'vitest';
import { addressesOfName } from './dns.ts';
import { allRoles, type Declaration, plan } from './testing.ts';

const company = { name: 'mycompany.local', server: '10.0.0.1' };
const baseDomain = { name: 'demo.nova.local', server: '10.0.0.2' };

function withDns(customerDns: object, declaration: Declaration = {}) {
  return plan({ ...declaration, config: { extraOptions: { dns: { customerDns } } } });
}

function modulesOf({ modules }: ReturnType<typeof plan>): string[] {
  return modules.map(({ name }) => name);
}

test('by default CoreDNS resolves services, Nova DNS the base domain, and the servers of the nodes all other names', () => {
  const internal = plan();
  expect(internal.dns).toEqual({
    mode: 'internal',
    baseDomain: 'demo.nova.local',
    zones: [
      { name: 'cluster.local', answeredBy: 'coredns' },
      {
        name: 'demo.nova.local',
        answeredBy: 'nova-dns',
        servers: ['10.233.63.254'],
        records: [
          { name: '@', type: 'A', values: ['172.30.0.18'] },
          { name: '*', type: 'CNAME', values: ['demo.nova.local.'] },
        ],
      },
      { name: '.', answeredBy: 'forward', servers: ['/etc/resolv.conf'] },
    ],
  });
  expect(modulesOf(internal)).toContain('nova-dns');
});

test('the base domain resolves to the external addresses of all infra nodes', () => {
  const { dns, nodes } = plan({
    nodeGroups: [
      { name: 'main', roles: allRoles },
      { name: 'infra', roles: ['infra'], count: 2 },
      { name: 'ingress', roles: ['ingress'] },
    ],
  });
  const infra = nodes.filter((node) => node.roles.includes('infra')).map((node) => node.externalAddress);
  expect(infra).toHaveLength(3);
  expect(dns.zones[1]?.records?.[0]).toEqual({ name: '@', type: 'A', values: infra });
});

test('in an existing network the base domain resolves to the infra nodes themselves', () => {
  const { dns } = plan({
    provider: { type: 'existing' },
    nodeGroups: [{ name: 'main', roles: allRoles, hosts: [{ name: 'n1', address: '10.20.0.7' }] }],
  });
  expect(dns.zones[1]?.records?.[0]?.values).toEqual(['10.20.0.7']);
});

test('a forwarded base domain needs no Nova DNS and no zone of it', () => {
  const external = withDns({ enable: true, forwardZones: [baseDomain, company] });
  expect(external.dns).toEqual({
    mode: 'external',
    baseDomain: 'demo.nova.local',
    zones: [
      { name: 'cluster.local', answeredBy: 'coredns' },
      { name: 'demo.nova.local', answeredBy: 'forward', servers: ['10.0.0.2'] },
      { name: 'mycompany.local', answeredBy: 'forward', servers: ['10.0.0.1'] },
      { name: '.', answeredBy: 'forward', servers: ['/etc/resolv.conf'] },
    ],
  });
  expect(modulesOf(external)).not.toContain('nova-dns');
});

test('other zones are forwarded while Nova DNS keeps the base domain', () => {
  const internal = withDns({ enable: true, forwardZones: [company] });
  expect(internal.dns.mode).toBe('internal');
  expect(internal.dns.zones.map(({ name, answeredBy }) => [name, answeredBy])).toEqual([
    ['cluster.local', 'coredns'],
    ['demo.nova.local', 'nova-dns'],
    ['mycompany.local', 'forward'],
    ['.', 'forward'],
  ]);
});

test("the company's DNS servers resolve all other names, in the given order", () => {
  const { dns } = withDns({ enable: true, servers: ['10.0.0.9', '10.0.0.1'] });
  expect(dns.zones.at(-1)).toEqual({ name: '.', answeredBy: 'forward', servers: ['10.0.0.9', '10.0.0.1'] });
});

test('with separate roles, applications resolve to ingress nodes and platform services to infra nodes', () => {
  const { dns, nodes } = plan({
    nodeGroups: [
      { name: 'control-plane', roles: ['control-plane'] },
      { name: 'infra', roles: ['infra'], count: 2 },
      { name: 'ingress', roles: ['ingress'], count: 2 },
    ],
  });
  const addressesOf = (group: string) =>
    nodes.filter((node) => node.group === group).map(({ externalAddress }) => externalAddress);
  for (const name of ['demo.nova.local', ...platformServices.map((service) => `${service}.demo.nova.local`)])
    expect(addressesOfName(dns, name), name).toEqual(addressesOf('infra'));
  for (const name of ['shop.demo.nova.local', 'shop--team-a.demo.nova.local', 'a.b.demo.nova.local'])
    expect(addressesOfName(dns, name), name).toEqual(addressesOf('ingress'));
  expect(dns.zones[1]?.servers).toEqual(['10.233.63.254']);
});

test('if some nodes have both roles, applications resolve to all ingress nodes', () => {
  const { dns, nodes } = plan({
    nodeGroups: [
      { name: 'main', roles: allRoles },
      { name: 'edge', roles: ['ingress'] },
    ],
  });
  expect(addressesOfName(dns, 'shop.demo.nova.local')).toEqual(nodes.map(({ externalAddress }) => externalAddress));
  expect(addressesOfName(dns, 'nova-console.demo.nova.local')).toEqual([nodes[0]?.externalAddress]);
});

test('without ingress nodes every name resolves to the infra nodes', () => {
  const { dns, nodes } = plan({ nodeGroups: [{ name: 'main', roles: ['control-plane', 'infra', 'worker'] }] });
  expect(addressesOfName(dns, 'shop.demo.nova.local')).toEqual([nodes[0]?.externalAddress]);
});

test.each([
  ['one node', [{ name: 'main', roles: allRoles }]],
  [
    'separate nodes',
    [
      { name: 'control-plane', roles: ['control-plane'] },
      { name: 'infra', roles: ['infra'] },
      { name: 'ingress', roles: ['ingress'] },
    ],
  ],
] as const)(
  'a name of the API in the base domain resolves to the API, and other names are unaffected: %s',
  (_, groups) => {
    const nodeGroups = groups.map(({ name, roles }) => ({ name, roles: [...roles] }));
    const before = plan({ nodeGroups }).dns;
    const apiOf = (k8sAPIDefaultFqdn: string) => plan({ nodeGroups, config: { k8sAPIDefaultFqdn } });
    for (const fqdn of ['api.demo.nova.local', 'api.eu.demo.nova.local']) {
      const { dns, api } = apiOf(fqdn);
      expect(addressesOfName(dns, fqdn), fqdn).toEqual([api.externalAddress]);
      for (const label of ['@', 'shop', 'eu', 'shop.eu', 'nova-console'])
        expect(addressesOfName(dns, `${label}.demo.nova.local`), label).toEqual(
          addressesOfName(before, `${label}.demo.nova.local`),
        );
    }
    // A wildcard does not cover names below an existing name: they need a wildcard of their own.
    expect(apiOf('api.eu.demo.nova.local').dns.zones[1]?.records?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['api.eu', 'eu', '*.eu', '*']),
    );
    // Names outside the base domain are not in its zone.
    expect(apiOf('api.company.example').dns).toEqual(before);
  },
);
