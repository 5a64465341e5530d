import { describe, expect, test } from 'vitest';
import { allRoles, plan, problemsOf, sdnOf, vsphere, zvirt } from './testing.ts';

describe('a local cluster of one node', () => {
  const { network, api } = plan({ config: { k8sAPIDefaultFqdn: 'k8s.mycompany.local' } });

  test('has its own network, and a router that connects it to Universe and the external network', () => {
    expect(network).toEqual({
      kind: 'sdn',
      integration: {
        network: '10.255.0.0/24',
        router: '10.255.0.1',
        universe: { address: '10.255.0.10', externalAddress: '172.30.0.10' },
      },
      service: { name: 'demo', network: '10.20.0.0/24', gateway: '10.20.0.1' },
      router: { name: 'demo-router', externalAddress: '172.30.0.16', transitAddress: '100.64.0.2' },
      external: { network: '172.30.0.0/16', gateway: '172.30.0.1' },
      snat: { from: '10.20.0.0/24', to: '172.30.0.16', exempt: ['10.255.0.0/24', '100.64.0.0/16'] },
      published: [
        { name: 'api', externalAddress: '172.30.0.17', address: '10.20.0.2', ports: ['6443/tcp'] },
        {
          name: 'demo-main-1',
          externalAddress: '172.30.0.18',
          address: '10.20.0.10',
          ports: ['80/tcp', '443/tcp', '53/tcp', '53/udp'],
        },
      ],
      transit: { network: '100.64.0.0/16' },
      routes: [
        { router: 'demo-router', network: '0.0.0.0/0', via: '172.30.0.1' },
        { router: 'demo-router', network: '10.255.0.0/24', via: '100.64.0.1' },
        { router: 'integration', network: '10.20.0.0/24', via: '100.64.0.2' },
      ],
      interceptor: [
        { name: 'universe.nova.internal', addresses: ['10.255.0.10'] },
        { name: 'config.universe.nova.internal', addresses: ['10.255.0.10'] },
        { name: 'git.universe.nova.internal', addresses: ['10.255.0.10'] },
        { name: 'hub.universe.nova.internal', addresses: ['10.255.0.10'] },
        { name: 'api.demo.nova.internal', addresses: ['10.20.0.2'] },
        { name: 'k8s.mycompany.local', addresses: ['10.20.0.2'] },
      ],
    });
  });

  test('has its API balanced by the network, inside and outside', () => {
    expect(api).toEqual({
      port: 6443,
      address: '10.20.0.2',
      externalAddress: '172.30.0.17',
      fqdn: 'k8s.mycompany.local',
      balancing: { by: 'sdn', backends: ['10.20.0.10'], healthCheckSource: '10.20.0.3' },
    });
  });
});

test.for([
  [
    'NodePorts where the manifest asks for them',
    { publishNodePorts: true, delivery: 'none' },
    ['30000-32767/tcp', '30000-32767/udp'],
  ],
  ['no DNS without Nova DNS', { delivery: 'none' }, []],
] as const)('a published node has web ports and %s', ([, config, more]) => {
  const node = sdnOf(plan({ config })).published.find(({ name }) => name === 'demo-main-1');
  expect(node?.ports).toEqual(['80/tcp', '443/tcp', ...more]);
});

describe('a highly available zvirt cluster', () => {
  const highlyAvailable = plan({
    ...zvirt,
    nodeGroups: [
      { name: 'master', roles: ['control-plane'], count: 3 },
      { name: 'infra', roles: ['infra'], count: 2 },
      { name: 'ingress', roles: ['ingress'] },
      { name: 'worker', roles: ['worker'], count: 2 },
    ],
  });

  test('connects to the external network that its manifest names', () => {
    const { external, router, snat, routes } = sdnOf(highlyAvailable);
    expect(external).toEqual({ network: '10.250.24.0/24', gateway: '10.250.24.1' });
    expect(router.externalAddress).toBe('10.250.24.171');
    expect(snat.to).toBe('10.250.24.171');
    expect(routes[0]).toEqual({ router: 'demo-router', network: '0.0.0.0/0', via: '10.250.24.1' });
  });

  test('publishes only its API, infra and ingress nodes, each on its ports', () => {
    const web = ['80/tcp', '443/tcp'];
    const dns = ['53/tcp', '53/udp'];
    expect(sdnOf(highlyAvailable).published).toEqual([
      { name: 'api', externalAddress: '10.250.24.172', address: '10.20.0.2', ports: ['6443/tcp'] },
      { name: 'demo-infra-1', externalAddress: '10.250.24.173', address: '10.20.0.13', ports: [...web, ...dns] },
      { name: 'demo-infra-2', externalAddress: '10.250.24.174', address: '10.20.0.14', ports: [...web, ...dns] },
      { name: 'demo-ingress-1', externalAddress: '10.250.24.175', address: '10.20.0.15', ports: web },
    ]);
  });

  test('has its API balanced by the network over three backends', () => {
    expect(highlyAvailable.api).toEqual({
      port: 6443,
      address: '10.20.0.2',
      externalAddress: '10.250.24.172',
      balancing: {
        by: 'sdn',
        backends: ['10.20.0.10', '10.20.0.11', '10.20.0.12'],
        healthCheckSource: '10.20.0.3',
      },
    });
  });
});

test('a vsphere cluster uses an existing network and the load balancer that its manifest names', () => {
  const { network, api, nodes } = plan({
    ...vsphere,
    nodeGroups: [{ name: 'main', roles: allRoles, count: 3 }],
    config: { ...vsphere.config, k8sAPIAddress: '10.120.0.10' },
  });
  expect(network).toEqual({
    kind: 'site',
    network: '10.120.0.0/24',
    gateway: '10.120.0.1',
    hosts: [
      { name: 'universe.nova.internal', addresses: ['172.30.0.10'] },
      { name: 'config.universe.nova.internal', addresses: ['172.30.0.10'] },
      { name: 'git.universe.nova.internal', addresses: ['172.30.0.10'] },
      { name: 'hub.universe.nova.internal', addresses: ['172.30.0.10'] },
      { name: 'api.demo.nova.internal', addresses: ['10.120.0.10'] },
    ],
  });
  const addresses = ['10.120.0.20', '10.120.0.21', '10.120.0.22'];
  expect(api).toEqual({
    port: 6443,
    address: '10.120.0.10',
    externalAddress: '10.120.0.10',
    balancing: { by: 'external', backends: addresses },
  });
  expect(nodes.map((node) => node.externalAddress)).toEqual(addresses);
});

test('existing hosts keep their names and addresses, and the only control plane is the API', () => {
  const { nodes, network, api } = plan({
    provider: { type: 'existing' },
    nodeGroups: [
      { name: 'main', roles: ['control-plane', 'infra'], hosts: [{ name: 'rack1-n1', address: '10.20.0.77' }] },
      { name: 'worker', roles: ['worker'], hosts: [{ name: 'rack2-n1', address: '10.20.0.5' }] },
    ],
  });
  expect(
    nodes.map(({ name, address, externalAddress, podNetwork }) => [name, address, externalAddress, podNetwork]),
  ).toEqual([
    ['rack1-n1', '10.20.0.77', '10.20.0.77', '10.233.64.0/24'],
    ['rack2-n1', '10.20.0.5', undefined, '10.233.65.0/24'],
  ]);
  expect(network).toMatchObject({ kind: 'site', network: '10.20.0.0/24' });
  expect(network).not.toHaveProperty('gateway');
  expect(api).toMatchObject({ address: '10.20.0.77', balancing: { by: 'none', backends: ['10.20.0.77'] } });
});

test('clusters of one site share no external and no transit address', () => {
  const first = plan();
  const second = plan({ config: { clusterName: 'second', nodeNetwork: '10.21.0.0/24' } }, { others: [first] });
  expect(sdnOf(second).router).toEqual({
    name: 'second-router',
    externalAddress: '172.30.0.19',
    transitAddress: '100.64.0.3',
  });
  expect(sdnOf(second).published.map((each) => each.externalAddress)).toEqual(['172.30.0.20', '172.30.0.21']);
});

test('a cluster keeps its addresses when another one is removed', () => {
  const second = { config: { clusterName: 'second', nodeNetwork: '10.21.0.0/24' } };
  const current = plan(second, { others: [plan()] });
  expect(plan(second, { current }).network).toEqual(current.network);
});

function publishedIn(network: string, gateway: string, addresses: string[]): string {
  return sdnOf(plan({ ...zvirt, externalNetwork: { network, gateway, addresses } })).router.externalAddress;
}

test('no cluster gets the external gateway, even if it is among the given addresses', () => {
  expect(publishedIn('10.250.24.0/24', '10.250.24.1', ['10.250.24.1-10.250.24.9'])).toBe('10.250.24.2');
});

test('no cluster gets the network address of the external network', () => {
  expect(publishedIn('10.250.24.0/24', '10.250.24.1', ['10.250.24.0-10.250.24.9'])).toBe('10.250.24.2');
});

test('no cluster gets the gateway of the site, even if it names another one', () => {
  expect(publishedIn('172.30.0.0/16', '172.30.0.254', ['172.30.0.1-172.30.0.9'])).toBe('172.30.0.2');
});

test('a local cluster gets only addresses of its declared range', () => {
  const externalNetwork = { network: '172.30.9.0/24', gateway: '172.30.0.1', addresses: ['172.30.9.7-172.30.9.9'] };
  const { router, published, external } = sdnOf(plan({ externalNetwork }));
  const taken = [router.externalAddress, ...published.map((each) => each.externalAddress)];
  expect(taken).toEqual(['172.30.9.7', '172.30.9.8', '172.30.9.9']);
  expect(external).toEqual({ network: '172.30.9.0/24', gateway: '172.30.0.1' });
});

test("no cluster has a router with the name of the site's router", () => {
  const { router, routes } = sdnOf(plan({ config: { clusterName: 'integration' } }));
  expect(routes.filter((route) => route.router === router.name)).toHaveLength(2);
});

test('a router keeps its external address: a range without it is refused', () => {
  const current = plan(zvirt);
  const { externalAddress } = sdnOf(current).router;
  const moved = (addresses: string[]) => ({ ...zvirt, externalNetwork: { ...zvirt.externalNetwork, addresses } });
  expect(problemsOf(() => plan(moved(['10.250.24.180-10.250.24.190']), { current }))).toMatchObject([
    { code: 'NOVA3073', params: { cluster: 'demo', address: externalAddress } },
  ]);
  expect(problemsOf(() => plan(moved([externalAddress, '10.250.24.180-10.250.24.190']), { current }))).toEqual([]);
});
