import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as ipv4 from './ipv4.ts';
import { freeNodeNetwork } from './node-network.ts';

test.each([
  ['the default, if nothing is taken', [], '10.20.0.0/24'],
  [
    'the first gap, although there are more clusters than networks before it',
    ['10.20.0.0/24', '10.20.2.0/24'],
    '10.20.1.0/24',
  ],
  ['the one after a larger network', ['10.20.0.0/22', '10.20.6.0/24'], '10.20.4.0/24'],
  ['the default, if only other networks are taken', ['172.30.0.0/16', '192.168.0.0/24'], '10.20.0.0/24'],
])('a new manifest proposes %s', (_what, taken, proposed) => {
  expect(freeNodeNetwork(taken)).toBe(proposed);
});

test('a proposal overlaps no network that is taken', () => {
  const network = fc
    .record({ address: fc.integer({ min: 0, max: 0xff_ff }), prefix: fc.integer({ min: 18, max: 28 }) })
    .map(({ address, prefix }) => {
      const size = 2 ** (32 - prefix);
      const first = Math.floor((ipv4.parseAddress('10.20.0.0') + address) / size) * size;
      return ipv4.formatNetwork({ first, last: first + size - 1, prefix });
    });
  fc.assert(
    fc.property(fc.array(network, { maxLength: 20 }), (taken) => {
      const proposed = ipv4.parseNetwork(freeNodeNetwork(taken));
      expect(taken.filter((each) => ipv4.overlaps(ipv4.parseNetwork(each), proposed))).toEqual([]);
    }),
  );
});
