import type { ClusterNetwork } from '@nova-platform/contracts/universe';
import type { ClusterPlan } from '@nova-platform/plan';

/** A cluster's network as the engine reports it when everything is as planned. */
export function engineView({ network, nodes, api }: ClusterPlan): ClusterNetwork {
  if (network.kind !== 'sdn' || api.balancing.by !== 'sdn') throw new Error('not a network of the engine');
  const { service, router, routes, snat, published } = network;
  const { backends } = api.balancing;
  return {
    name: service.name,
    network: service.network,
    router: {
      name: router.name,
      ports: [
        { network: 'external', address: `${router.externalAddress}/16` },
        { network: 'transit', address: `${router.transitAddress}/16` },
        { network: service.name, address: `${service.gateway}/24` },
      ],
      routes: routes.filter((route) => route.router === router.name),
      nat: [
        { type: 'snat', externalAddress: snat.to, address: snat.from, ports: [] },
        ...published
          .filter(({ name }) => name !== 'api')
          .map(({ externalAddress, address, ports = [] }) => ({ type: 'dnat', externalAddress, address, ports })),
      ],
    },
    ports: nodes.map(({ name, address }) => ({ name, address, up: true })),
    loadBalancers: [api.address, api.externalAddress].map((address) => ({
      name: `${service.name} api`,
      address: `${address}:${api.port}`,
      backends: backends.map((each) => `${each}:${api.port}`),
    })),
    machines: nodes.map(({ name, address }) => ({ name, address, state: 'running' })),
  };
}
