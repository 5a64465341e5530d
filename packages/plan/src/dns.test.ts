import { expect, test } from 'vitest';
import { allRoles, type Declaration, plan } from './testing.ts';

const company = { name: 'mycompany.local', server: '10.0.0.1' };
const baseDomain = { name: 'demo.nova.local', server: '10.0.0.2' };

function withDns(customerDns: object, declaration: Declaration = {}) {
  return plan({ ...declaration, config: { extraOptions: { dns: { customerDns } } } });
}

function modulesOf({ modules }: ReturnType<typeof plan>): string[] {
  return modules.map(({ name }) => name);
}

test('by default CoreDNS answers for services, Nova DNS for the base domain, the nodes’ servers for all else', () => {
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

test('the base domain points to every infra node, where it is published', () => {
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

test('in a network that exists the base domain points to the infra nodes themselves', () => {
  const { dns } = plan({
    provider: { type: 'existing' },
    nodeGroups: [{ name: 'main', roles: allRoles, hosts: [{ name: 'n1', address: '10.20.0.7' }] }],
  });
  expect(dns.zones[1]?.records?.[0]?.values).toEqual(['10.20.0.7']);
});

test('with the base domain forwarded there is no Nova DNS and no such zone of ours', () => {
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

test('other zones are forwarded beside the base domain, which stays ours', () => {
  const internal = withDns({ enable: true, forwardZones: [company] });
  expect(internal.dns.mode).toBe('internal');
  expect(internal.dns.zones.map(({ name, answeredBy }) => [name, answeredBy])).toEqual([
    ['cluster.local', 'coredns'],
    ['demo.nova.local', 'nova-dns'],
    ['mycompany.local', 'forward'],
    ['.', 'forward'],
  ]);
});

test('servers of the company answer for all other names, in the order given', () => {
  const { dns } = withDns({ enable: true, servers: ['10.0.0.9', '10.0.0.1'] });
  expect(dns.zones.at(-1)).toEqual({ name: '.', answeredBy: 'forward', servers: ['10.0.0.9', '10.0.0.1'] });
});
