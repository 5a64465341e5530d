import { expect, test } from 'vitest';
import { novaDnsFiles } from './nova-dns.ts';

test('names resolve as planned, and the infra nodes are the name servers', () => {
  const { corefile, zone } = novaDnsFiles({
    name: 'apps.mycompany.local',
    records: [
      { name: '@', type: 'A', values: ['172.31.101.1', '172.31.101.2'] },
      { name: 'nova-console', type: 'CNAME', values: ['apps.mycompany.local.'] },
      { name: '*', type: 'A', values: ['172.31.101.3'] },
    ],
  });
  expect(zone).toMatchInlineSnapshot(`
    "apps.mycompany.local. 60 IN SOA ns.apps.mycompany.local. nova.apps.mycompany.local. 899059692 7200 1800 86400 60
    apps.mycompany.local. 60 IN NS ns.apps.mycompany.local.
    ns.apps.mycompany.local. 60 IN A 172.31.101.1
    ns.apps.mycompany.local. 60 IN A 172.31.101.2
    apps.mycompany.local. 60 IN A 172.31.101.1
    apps.mycompany.local. 60 IN A 172.31.101.2
    nova-console.apps.mycompany.local. 60 IN CNAME apps.mycompany.local.
    *.apps.mycompany.local. 60 IN A 172.31.101.3
    "
  `);
  expect(corefile).toMatchInlineSnapshot(`
    "apps.mycompany.local:1053 apps.mycompany.local:1054 {
        errors
        file /etc/coredns/zone apps.mycompany.local
        loadbalance
    }
    .:1053 {
        errors
        health :8080
        ready :8181
        cache 30
        forward . /etc/resolv.conf
    }
    "
  `);
});

test('a different set of nodes gives a different serial', () => {
  const serial = (...addresses: string[]) =>
    / SOA \S+ \S+ (\d+) /.exec(
      novaDnsFiles({ name: 'a.b', records: [{ name: '@', type: 'A', values: addresses }] }).zone,
    )?.[1];
  expect(serial('10.0.0.1')).toBe(serial('10.0.0.1'));
  expect(serial('10.0.0.1')).not.toBe(serial('10.0.0.2'));
  expect(serial('10.0.0.1')).not.toBe(serial('10.0.0.1', '10.0.0.2'));
});
