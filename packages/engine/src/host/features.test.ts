import { expect, test } from 'vitest';
import { ownNetworks } from './features.ts';

test('the networks of the host do not include those of machines', () => {
  const address = (cidr: string, internal = false) => ({
    address: cidr.split('/')[0] ?? '',
    netmask: '',
    mac: '',
    family: 'IPv4' as const,
    internal,
    cidr,
  });
  expect(
    ownNetworks({
      lo: [address('127.0.0.1/8', true)],
      eth0: [address('10.20.0.17/24')],
      'nova-host': [address('172.30.0.1/16')],
    }),
  ).toEqual([{ name: 'eth0', network: '10.20.0.0/24' }]);
});
