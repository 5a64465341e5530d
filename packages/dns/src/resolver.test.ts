import { isIPv4 } from 'node:net';
import type { ProblemError } from '@nova-platform/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ResolverOptions, resolverCorefile } from './resolver.ts';

const domain = 'nova.internal';
const names = [
  { name: 'universe.nova.internal', addresses: ['10.255.0.10'] },
  { name: 'nova.mycompany.local', addresses: ['172.30.0.10', '172.30.0.11'] },
];

function fieldsRefused(options: Partial<ResolverOptions>): unknown[] {
  try {
    resolverCorefile({ domain, names: [], servers: [], ...options });
    return [];
  } catch (error) {
    return (error as ProblemError).problems.map(({ code, params }) => [code, params.field]);
  }
}

test('without company servers, only our names exist', () => {
  expect(resolverCorefile({ domain, names, servers: [] })).toMatchInlineSnapshot(`
    ".:53 {
        errors {
            consolidate 1m .+ error show_first
        }
        prometheus 127.0.0.1:8055
        loadbalance
        health 127.0.0.1:8053
        ready 127.0.0.1:8054
        reload 2s 1s
        hosts /dev/null {
            10.255.0.10 universe.nova.internal
            172.30.0.10 nova.mycompany.local
            172.30.0.11 nova.mycompany.local
            ttl 30
            reload 0
            no_reverse
        }
        rewrite stop rcode regex (.*) SERVFAIL NXDOMAIN
        template ANY PTR {
            rcode NXDOMAIN
        }
    }
    "
  `);
});

test('with company servers, they answer everything except our names', () => {
  const options = {
    domain,
    names,
    servers: ['10.0.0.53', '10.0.1.53'],
    listen: '10.255.0.10',
    port: 5353,
    healthPort: 9000,
  };
  expect(resolverCorefile(options)).toMatchInlineSnapshot(`
    "nova.internal:5353 {
        bind 10.255.0.10
        errors {
            consolidate 1m .+ error show_first
        }
        prometheus 127.0.0.1:9002
        loadbalance
        hosts /dev/null {
            10.255.0.10 universe.nova.internal
            172.30.0.10 nova.mycompany.local
            172.30.0.11 nova.mycompany.local
            ttl 30
            reload 0
            no_reverse
        }
        rewrite stop rcode regex (.*) SERVFAIL NXDOMAIN
        template ANY PTR {
            rcode NXDOMAIN
        }
    }

    .:5353 {
        bind 10.255.0.10
        errors {
            consolidate 1m .+ error show_first
        }
        prometheus 127.0.0.1:9002
        loadbalance
        health 127.0.0.1:9000
        ready 127.0.0.1:9001
        reload 2s 1s
        hosts /dev/null {
            10.255.0.10 universe.nova.internal
            172.30.0.10 nova.mycompany.local
            172.30.0.11 nova.mycompany.local
            ttl 30
            reload 0
            no_reverse
            fallthrough
        }
        cache 300
        forward . 10.0.0.53 10.0.1.53 {
            policy sequential
            max_fails 1
            failfast_all_unhealthy_upstreams
        }
    }
    "
  `);
});

test('all invalid options are reported', () => {
  expect(
    fieldsRefused({
      names: [{ name: 'Universe', addresses: ['10.0.0.1', '10.0.0.256'] }],
      servers: ['dns.mycompany.local'],
      listen: '::1',
      port: 0,
      healthPort: 65_534,
    }),
  ).toEqual([
    ['NOVA7026', 'names[0].name'],
    ['NOVA7026', 'names[0].addresses[1]'],
    ['NOVA7026', 'servers[0]'],
    ['NOVA7026', 'listen'],
    ['NOVA7026', 'port'],
    ['NOVA7026', 'healthPort'],
  ]);
  expect(fieldsRefused({ servers: Array.from({ length: 16 }, () => '10.0.0.53') })).toEqual([['NOVA7026', 'servers']]);
});

test('anything but a name or an address is rejected', () => {
  const marks = fc.constantFrom('a', '.', '1', '-', '{', '}', '\n', ' ', '#', '$');
  const anything = fc.oneof(fc.string(), fc.string({ unit: marks }), fc.ipV4(), fc.domain());
  fc.assert(
    fc.property(anything, (text) => {
      const isAddress = isIPv4(text);
      expect(fieldsRefused({ servers: [text] })).toHaveLength(isAddress ? 0 : 1);
      expect(fieldsRefused({ listen: text })).toHaveLength(isAddress ? 0 : 1);
      expect(fieldsRefused({ names: [{ name: 'a', addresses: [text] }] })).toHaveLength(isAddress ? 0 : 1);
      const isAccepted = fieldsRefused({ names: [{ name: text, addresses: [] }] }).length === 0;
      expect(isAccepted && !/^[a-z0-9.-]+$/.test(text)).toBe(false);
    }),
  );
});
