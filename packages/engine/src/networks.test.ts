import { ProblemError } from '@nova-platform/api';
import { defaultSite } from '@nova-platform/plan';
import { plan, sdnOf } from '@nova-platform/plan/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressFor, macOf, type NetworkRecord, planNetwork, topologyOf } from './networks.ts';

function codes(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems.map(({ code }) => code);
    throw error;
  }
}

const lab = planNetwork(defaultSite, 'lab', '10.30.0.0/24', []);

test('a network gets a gateway, a router, and addresses in the external and transit networks', () => {
  expect(lab).toMatchObject({
    gateway: '10.30.0.1',
    router: { name: 'lab-router', externalAddress: '172.30.255.254', transitAddress: '100.64.255.254' },
    externalGateway: '172.30.0.1',
  });
});

test.for([
  ['a name in use', 'lab', '10.31.0.0/24', ['NOVA7021']],
  ['a network that overlaps another one', 'two', '10.30.0.128/25', ['NOVA7022']],
  ['a network that overlaps one of the site', 'two', '10.255.0.0/24', ['NOVA7022']],
  ['an address instead of a network', 'two', '10.31.0.7/24', ['NOVA3004']],
] as const)('the plan rejects %s', ([, name, network, expected]) => {
  expect(codes(() => planNetwork(defaultSite, name, network, [lab]))).toEqual(expected);
});

test('a network leaves the addresses that the plan of a cluster takes', () => {
  const { router } = sdnOf(plan());
  const { externalAddress, transitAddress } = lab.router;
  const planned = [router.externalAddress, router.transitAddress];
  expect(planned).not.toContain(externalAddress);
  expect(planned).not.toContain(transitAddress);
});

test('networks never share addresses', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (count) => {
      const networks: NetworkRecord[] = [];
      for (let index = 0; index < count; index += 1)
        networks.push(planNetwork(defaultSite, `n${index}`, `10.40.${index}.0/24`, networks));
      const taken = networks.flatMap(({ router }) => [router.externalAddress, router.transitAddress]);
      expect(new Set(taken).size).toBe(2 * count);
    }),
    { numRuns: 20 },
  );
});

test('a machine gets the requested address if it is in the network and free', () => {
  expect(addressFor('m1', '10.30.0.77', lab, [])).toBe('10.30.0.77');
  expect(addressFor('m1', undefined, lab, [])).toBe('10.30.0.10');
  for (const wrong of ['10.31.0.1', '10.30.0.0', '10.30.0.255'])
    expect(codes(() => addressFor('m1', wrong, lab, []))).toEqual(['NOVA3018']);
  expect(codes(() => addressFor('m1', '10.30.0.1', lab, []))).toEqual(['NOVA7023']);
});

test('MAC addresses are as unique as IP addresses', () => {
  expect(macOf('10.30.0.10')).toBe('0a:00:0a:1e:00:0a');
});

test('a network that is being deleted is not in the topology', () => {
  expect(topologyOf(defaultSite, [{ ...lab, wanted: 'gone' }], [], [], []).networks).toEqual([]);
});
