import type { ClusterPlan } from '@nova-platform/plan';
import type { ClusterNetwork } from '../../api/client.ts';

/** `different`: exists, but not as declared. `down`: exists, but does not work. `undeclared`: exists without a declaration. */
export type Verdict = 'same' | 'missing' | 'different' | 'down' | 'undeclared';

/** A part of a cluster's network: its planned and its actual state. */
export interface Compared {
  kind: 'network' | 'router' | 'route' | 'nat' | 'published' | 'api' | 'machine';
  name: string;
  declared: string;
  found: string;
  /** Only for an existing machine. */
  state?: 'running' | 'stopped' | 'deleting' | 'unplugged';
  verdict: Verdict;
}

type SdnPlan = Extract<ClusterPlan['network'], { kind: 'sdn' }>;

/** Compares everything that a cluster's plan declares of its network with the actual state. */
export function compareNetwork(
  { network, nodes, api }: ClusterPlan & { network: SdnPlan },
  actual: ClusterNetwork | undefined,
): Compared[] {
  const { service, router, snat, published, routes } = network;
  const nats = actual?.router.nat ?? [];
  const addressIn = (name: string) =>
    actual?.router.ports.find((port) => port.network === name)?.address.split('/')[0] ?? '';
  const same = (kind: Compared['kind'], name: string, declared: string, found: string): Compared => ({
    kind,
    name,
    declared,
    found,
    verdict: found === '' ? 'missing' : found === declared ? 'same' : 'different',
  });
  const addresses = (external: string, transit: string, inside: string) =>
    [external, transit, inside].filter((address) => address !== '').join(', ');
  return [
    same('network', service.name, service.network, actual?.network ?? ''),
    same(
      'router',
      router.name,
      addresses(router.externalAddress, router.transitAddress, service.gateway),
      addresses(addressIn('external'), addressIn('transit'), addressIn(service.name)),
    ),
    ...routes
      .filter((route) => route.router === router.name)
      .map((route) =>
        same(
          'route',
          route.network,
          route.via,
          actual?.router.routes.find((each) => each.network === route.network)?.via ?? '',
        ),
      ),
    same(
      'nat',
      snat.from,
      snat.to,
      nats.find(({ type, address }) => type === 'snat' && address === snat.from)?.externalAddress ?? '',
    ),
    // The load balancer publishes the API.
    ...published
      .filter(({ name }) => name !== 'api')
      .map(({ name, address, externalAddress, ports = [] }) => {
        const found = nats.find((each) => each.type === 'dnat' && each.address === address);
        return same(
          'published',
          name,
          withPorts(externalAddress, ports),
          found ? withPorts(found.externalAddress, found.ports) : '',
        );
      }),
    ...(api.balancing.by === 'sdn' ? [balanced(api, api.balancing.backends, actual)] : []),
    ...nodes.map((node) => machine(node, actual)),
    ...(actual?.machines ?? [])
      .filter(({ name }) => !nodes.some((node) => node.name === name))
      .map(
        ({ name, address = '', state }): Compared => ({
          kind: 'machine',
          name,
          declared: '',
          found: address,
          state,
          verdict: 'undeclared',
        }),
      ),
  ];
}

function withPorts(address: string, ports: readonly string[]): string {
  const sorted = ports.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return [address, ...sorted].join(' ');
}

function balanced(
  { address, port }: ClusterPlan['api'],
  backends: readonly string[],
  actual: ClusterNetwork | undefined,
): Compared {
  const name = `${address}:${port}`;
  const found = actual?.loadBalancers.find((each) => each.address === name)?.backends ?? [];
  const wanted = backends.map((each) => `${each}:${port}`);
  const isEach = wanted.length === found.length && wanted.every((each) => found.includes(each));
  return {
    kind: 'api',
    name,
    declared: wanted.join(', '),
    found: found.join(', '),
    // The load balancer removes control planes that do not serve, and adds them back when they recover.
    verdict: found.length === 0 ? 'missing' : isEach ? 'same' : 'different',
  };
}

function machine({ name, address }: { name: string; address: string }, actual: ClusterNetwork | undefined): Compared {
  const about = { kind: 'machine' as const, name, declared: address };
  const found = actual?.machines.find((each) => each.name === name);
  if (!found) return { ...about, found: '', verdict: 'missing' };
  const isUp = actual?.ports.some((port) => port.name === name && port.up) ?? false;
  const state = found.state === 'running' && !isUp ? 'unplugged' : found.state;
  const verdict = state !== 'running' ? 'down' : found.address === address ? 'same' : 'different';
  return { ...about, found: found.address ?? '', state, verdict };
}
