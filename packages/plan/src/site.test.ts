import { ipv4, type Problem } from '@nova-platform/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressesOf,
  changedAddresses,
  defaultAddresses,
  defaultSite,
  hostOverlaps,
  siteOf,
  siteProblems,
  usualClusterNetworks,
} from './site.ts';
import { plan } from './testing.ts';

const shown = (problems: readonly Problem[]) => problems.map(({ code, path }) => `${code} ${path.join('.')}`);
const problemsWith = (given: Partial<typeof defaultAddresses>) =>
  shown(siteProblems({ ...defaultAddresses, ...given }, usualClusterNetworks));

test('every address of a site is derived from the chosen networks', () => {
  const chosen = {
    externalNetwork: '192.168.64.0/20',
    integrationNetwork: '192.168.80.0/28',
    transitNetwork: '192.168.96.0/24',
    domain: 'cloud.example.com',
  };
  const site = siteOf(chosen);
  expect(site).toEqual({
    ...defaultSite,
    domain: 'cloud.example.com',
    universe: { name: 'universe.cloud.example.com', address: '192.168.80.10', externalAddress: '192.168.64.10' },
    integration: { network: '192.168.80.0/28', router: '192.168.80.1', externalAddress: '192.168.64.2' },
    transit: { network: '192.168.96.0/24', integrationRouter: '192.168.96.1' },
    external: {
      network: '192.168.64.0/20',
      gateway: '192.168.64.1',
      addresses: ['192.168.64.16-192.168.79.254'],
    },
  });
  expect(addressesOf(site)).toEqual(chosen);
  expect(siteProblems(chosen, usualClusterNetworks)).toEqual([]);
});

test('plans use the addresses and the domain of their site, never the defaults', () => {
  const site = siteOf({
    externalNetwork: '192.168.64.0/20',
    integrationNetwork: '192.168.80.0/24',
    transitNetwork: '192.168.96.0/24',
    domain: 'cloud.example.com',
  });
  const text = JSON.stringify(plan({}, { site }));
  expect(text).toContain('api.demo.cloud.example.com');
  expect(text).toContain('hub.universe.cloud.example.com');
  expect(text).not.toMatch(/172\.30\.|10\.255\.0\.|100\.64\.|nova\.internal/);
});

test('the default addresses are valid', () => {
  expect(problemsWith({})).toEqual([]);
});

test.for([
  ['text that is not a network', { externalNetwork: '172.30.0.0' }, ['NOVA2009 externalNetwork']],
  ['an address inside a network', { transitNetwork: '100.64.0.1/16' }, ['NOVA3004 transitNetwork']],
  ['a network without room for Universe', { integrationNetwork: '10.255.0.0/29' }, ['NOVA3006 integrationNetwork']],
  ['a network without room for clusters', { externalNetwork: '172.30.0.0/27' }, ['NOVA3006 externalNetwork']],
  ['a huge network', { transitNetwork: '64.0.0.0/7' }, ['NOVA3006 transitNetwork']],
  ['networks that overlap', { transitNetwork: '172.30.8.0/24' }, ['NOVA7022 transitNetwork']],
  ['loopback', { integrationNetwork: '127.1.0.0/24' }, ['NOVA7022 integrationNetwork']],
  ['multicast', { integrationNetwork: '239.0.0.0/24' }, ['NOVA7022 integrationNetwork']],
  ['the usual pod network', { externalNetwork: '10.233.64.0/20' }, ['NOVA7022 externalNetwork']],
  ['the usual service network', { transitNetwork: '10.233.0.0/24' }, ['NOVA7022 transitNetwork']],
  ['a domain without a dot', { domain: 'nova' }, ['NOVA2009 domain']],
  [
    'a domain that leaves no room for names',
    { domain: `${'a'.repeat(60)}.`.repeat(4).slice(0, -1) },
    ['NOVA2009 domain'],
  ],
  [
    'several problems, all at once',
    { domain: 'Nova', externalNetwork: 'x', integrationNetwork: '10.0.0.7/24', transitNetwork: '10.0.0.0/23' },
    ['NOVA2009 externalNetwork', 'NOVA2009 domain', 'NOVA3004 integrationNetwork', 'NOVA7022 transitNetwork'],
  ],
] as const)('refused: %s', ([, given, expected]) => {
  expect(problemsWith(given)).toEqual(expected);
});

describe('overlaps with the host', () => {
  const network = fc
    .tuple(fc.nat(0xffff_ffff), fc.integer({ min: 2, max: 32 }))
    .map(([address, prefix]) => ipv4.formatNetwork(ipv4.parseNetwork(`${ipv4.formatAddress(address)}/${prefix}`)));
  const nearby = fc
    .tuple(fc.nat(0xffff), fc.integer({ min: 8, max: 32 }))
    .map(([low, prefix]) => ipv4.formatNetwork(ipv4.parseNetwork(`172.30.${low >> 8}.${low & 255}/${prefix}`)));
  const any = fc.oneof(network, nearby);
  const isFound = (one: string, other: string) =>
    hostOverlaps({ ...defaultAddresses, externalNetwork: one }, [{ network: other, shown: other }]).some(
      ({ path }) => path[0] === 'externalNetwork',
    );
  /** Two networks share addresses if they agree on the bits of the shorter prefix. */
  const share = (one: string, other: string) => {
    const [a, b] = [ipv4.parseNetwork(one), ipv4.parseNetwork(other)];
    const bits = 32 - Math.min(a.prefix, b.prefix);
    return Math.floor(a.first / 2 ** bits) === Math.floor(b.first / 2 ** bits);
  };

  test('are found in both directions', () => {
    fc.assert(fc.property(any, any, (one, other) => isFound(one, other) === isFound(other, one)));
  });

  test('are found if and only if both networks share an address', () => {
    fc.assert(
      fc.property(any, any, (one, other) => isFound(one, other) === share(one, other)),
      { numRuns: 1000 },
    );
  });

  test('are all reported, each with its route', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), (routes) => {
        const host = routes.map((each, index) => ({ network: each, shown: `route ${index}` }));
        const expected = (['externalNetwork', 'integrationNetwork', 'transitNetwork'] as const).flatMap((field) =>
          host.filter((each) => share(defaultAddresses[field], each.network)).map((each) => [field, each.shown]),
        );
        const found = hostOverlaps(defaultAddresses, host).map(({ params }) => [params.field, params.shown]);
        expect(found).toEqual(expected);
      }),
    );
  });

  test('skip networks that cannot be read', () => {
    expect(hostOverlaps({ ...defaultAddresses, externalNetwork: 'x' }, [{ network: '0.0.0.0/2', shown: '' }])).toEqual([
      expect.objectContaining({ path: ['integrationNetwork'] }),
    ]);
  });
});

test('addresses that differ from the stored ones are refused, each with both values', () => {
  expect(changedAddresses(defaultAddresses, {})).toEqual([]);
  expect(changedAddresses(defaultAddresses, { ...defaultAddresses })).toEqual([]);
  const changed = changedAddresses(defaultAddresses, { domain: 'a.example.com', externalNetwork: '172.29.0.0/16' });
  expect(changed.map(({ code, params }) => [code, params.field, params.kept, params.value])).toEqual([
    ['NOVA7091', 'domain', 'nova.internal', 'a.example.com'],
    ['NOVA7091', 'externalNetwork', '172.30.0.0/16', '172.29.0.0/16'],
  ]);
});
