import type { Attachment } from '../links.ts';
import type { Port, Topology } from '../topology.ts';

export const hostAddress = '172.30.0.1';
export const guard = ['172.30.0.0/16', '100.64.0.0/16', '10.255.0.0/24', '10.11.0.0/24', '10.12.0.0/24'];

const port = (name: string, address: string): Port => ({
  name,
  mac: `0a:00:${address
    .split('.')
    .map((octet) => Number(octet).toString(16).padStart(2, '0'))
    .join(':')}`,
  address,
});

export const ports = {
  universe: port('universe', '10.255.0.10'),
  a1: { ...port('a1', '10.11.0.11'), allowedNetworks: ['10.244.1.0/24'] },
  // Longer than a link name can be.
  a2: port('alpha-control-plane-2', '10.11.0.12'),
  b1: port('b1', '10.12.0.11'),
  b2: port('b2', '10.12.0.12'),
};

export type MachineName = keyof typeof ports;
export const machineNames = Object.keys(ports) as MachineName[];

/** Two clusters, the integration network and the host. */
export const topology: Topology = {
  external: { network: '172.30.0.0/16', hostAddress, openPorts: ['7/tcp', '7/udp'] },
  transit: { network: '100.64.0.0/16' },
  integration: {
    network: '10.255.0.0/24',
    gateway: '10.255.0.1',
    transitAddress: '100.64.0.1',
    externalAddress: '172.30.0.2',
    ports: [ports.universe],
    names: [{ name: 'universe.nova.internal', addresses: ['10.255.0.10'] }],
    published: [{ externalAddress: '172.30.0.10', address: '10.255.0.10', ports: ['443/tcp'] }],
    hostPorts: ['7443/tcp'],
  },
  networks: [
    {
      name: 'alpha',
      network: '10.11.0.0/24',
      gateway: '10.11.0.1',
      router: { name: 'alpha-router', transitAddress: '100.64.0.2', externalAddress: '172.30.0.16' },
      externalGateway: hostAddress,
      ports: [ports.a1, ports.a2],
      names: [
        { name: 'universe.nova.internal', addresses: ['10.255.0.10'] },
        { name: 'api.alpha.nova.internal', addresses: ['10.11.0.2'] },
        { name: 'Two.Nova.internal', addresses: ['10.11.0.11', '10.11.0.12'] },
      ],
      published: [
        {
          externalAddress: '172.30.0.18',
          address: '10.11.0.12',
          ports: ['80/tcp', '443/tcp', '53/tcp', '53/udp', '7/tcp', '7/udp'],
        },
      ],
      loadBalancers: [
        {
          name: 'api',
          address: '10.11.0.2',
          externalAddress: '172.30.0.17',
          port: 6443,
          backends: [
            { address: '10.11.0.11', port: ports.a1.name },
            { address: '10.11.0.12', port: ports.a2.name },
          ],
          healthCheckSource: '10.11.0.3',
        },
      ],
    },
    {
      name: 'beta',
      network: '10.12.0.0/24',
      gateway: '10.12.0.1',
      router: { name: 'beta-router', transitAddress: '100.64.0.3', externalAddress: '172.30.0.32' },
      externalGateway: hostAddress,
      ports: [ports.b1, ports.b2],
      names: [{ name: 'api.beta.nova.internal', addresses: ['10.12.0.2'] }],
      published: [{ externalAddress: '172.30.0.33', address: '10.12.0.12', ports: ['80/tcp', '30000-32767/tcp'] }],
      loadBalancers: [],
    },
  ],
};

export function attachmentOf(name: MachineName): Attachment {
  const { name: portName, mac, address } = ports[name];
  const gateway = address.replace(/\d+$/, '1');
  return { name: portName, netns: `nova-test-${name}`, mac, address, prefix: 24, gateway, mtu: 1500 };
}
