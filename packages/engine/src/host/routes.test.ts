import { expect, test } from 'vitest';
import { usedNetworks } from './routes.ts';

test("networks of the host's routes and addresses are in use, in every routing table", () => {
  const routes = [
    { dst: '192.0.2.0/24', dev: 'eth0' },
    { dst: '10.0.0.0/8', gateway: '192.0.2.1', dev: 'eth0', table: 100 },
    { dst: '198.51.100.7', dev: 'tun0' },
  ];
  const links = [
    { ifname: 'eth0', addr_info: [{ family: 'inet', local: '192.0.2.2', prefixlen: 24 }] },
    {
      ifname: 'wg0',
      addr_info: [
        { family: 'inet', local: '100.64.0.9', prefixlen: 32 },
        { family: 'inet6', local: 'fd00::9', prefixlen: 64 },
      ],
    },
  ];
  expect(usedNetworks(routes, links)).toEqual([
    { network: '192.0.2.0/24', shown: 'route 192.0.2.0/24 dev eth0' },
    { network: '10.0.0.0/8', shown: 'route 10.0.0.0/8 via 192.0.2.1 dev eth0 table 100' },
    { network: '198.51.100.7/32', shown: 'route 198.51.100.7 dev tun0' },
    { network: '100.64.0.9/32', shown: 'address 100.64.0.9/32 dev wg0' },
  ]);
});

test.for([
  ['a default route', { dst: 'default', gateway: '192.0.2.1', dev: 'eth0' }],
  ["one half of a VPN's default route", { dst: '128.0.0.0/1', dev: 'tun0' }],
  ['a route that repeats an address', { type: 'local', dst: '172.30.0.1', dev: 'eth0', table: 'local' }],
  ['a broadcast address', { type: 'broadcast', dst: '172.30.255.255', dev: 'eth0', table: 'local' }],
  ['our own guard route', { type: 'unreachable', dst: '172.30.0.0/16' }],
  ['our own route', { dst: '172.30.0.0/16', dev: 'nova-host' }],
] as const)('a network is not in use because of %s', ([, route]) => {
  expect(usedNetworks([route], [])).toEqual([]);
});

test('addresses of our own links are not in use', () => {
  const address = { family: 'inet', local: '172.30.0.1', prefixlen: 16 };
  expect(usedNetworks([], [{ ifname: 'nova-host', addr_info: [address] }])).toEqual([]);
});
