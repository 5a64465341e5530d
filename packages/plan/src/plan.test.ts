import { ipv4 } from '@nova-platform/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClusterPlan } from './cluster-plan.ts';
import { diffPlans } from './diff.ts';
import { machineKindOf } from './nodes.ts';
import { planCluster } from './plan.ts';
import { defaultSite, type Site } from './site.ts';
import {
  allRoles,
  type Declaration,
  declare,
  freeze,
  type Group,
  plan,
  problemsOf,
  vsphere,
  zvirt,
} from './testing.ts';

const password = 'do-not-tell-anyone';

describe('a pure function', () => {
  const input = freeze({
    ...declare({ ...zvirt, proxy: { httpProxy: { server: 'http://proxy.local', password } } }),
    site: structuredClone(defaultSite),
    current: plan(zvirt),
    others: [plan({ config: { clusterName: 'other', nodeNetwork: '10.21.0.0/24' } })],
  });

  test('the same input gives the same bytes', () => {
    const bytes = JSON.stringify(planCluster(input));
    expect(JSON.stringify(planCluster(input))).toBe(bytes);
    expect(JSON.stringify(planCluster(structuredClone(input)))).toBe(bytes);
  });

  test('the input is not modified', () => {
    const copy = structuredClone(input);
    planCluster(input);
    expect(input).toEqual(copy);
  });
});

describe('after any changes to the clusters of a site', () => {
  const site: Site = {
    ...defaultSite,
    // The ranges overlap, and contain Universe and the gateway.
    external: { ...defaultSite.external, addresses: ['172.30.0.1-172.30.0.99', '172.30.0.5-172.30.1.250'] },
  };
  const shared = { ...zvirt.externalNetwork, addresses: ['10.250.24.1-10.250.24.200', '10.250.24.100-10.250.24.254'] };
  const base = (clusterName: string, nodeNetwork: string) => ({
    clusterName,
    nodeNetwork,
    podNetworkNodePrefix: 26,
  });
  const clusters: Declaration[] = [
    { config: base('alpha', '10.21.0.0/24') },
    { config: base('beta', '10.22.0.0/24') },
    { ...zvirt, externalNetwork: shared, config: base('gamma', '10.23.0.0/24') },
    {
      provider: { type: 'ovirt', ovirt: zvirt.provider.zvirt },
      externalNetwork: shared,
      config: base('delta', '10.24.0.0/24'),
    },
    {
      provider: {
        ...vsphere.provider,
        vsphere: { ...vsphere.provider.vsphere, addresses: ['10.120.0.1-10.120.0.99', '10.120.0.50-10.120.0.199'] },
      },
      config: { ...base('epsilon', '10.120.0.0/24'), k8sAPIAddress: '10.120.0.250' },
    },
  ];

  // Names that could be confused with those of nodes of other groups, or of other things.
  const name = fc.constantFrom('a', 'a-1', 'api', 'router');
  const size = fc.nat(6);
  const roles = fc.subarray<'infra' | 'ingress' | 'worker'>(['infra', 'ingress', 'worker'], { minLength: 1 });
  type Edit = (groups: ReadonlyMap<string, Group>) => Map<string, Group>;
  const edit: fc.Arbitrary<Edit> = fc.oneof(
    fc.tuple(name, size).map(
      ([group, count]): Edit =>
        (groups) => {
          const old = groups.get(group);
          return new Map(old ? [...groups, [group, { ...old, count }]] : groups);
        },
    ),
    fc.record({ name, roles, count: size }).map(
      (group): Edit =>
        (groups) =>
          new Map([...groups, [group.name, group]]),
    ),
    name.map(
      (gone): Edit =>
        (groups) =>
          new Map([...groups].filter(([group]) => group !== gone)),
    ),
    fc.constantFrom(1, 3, 5).map(
      (count): Edit =>
        (groups) =>
          new Map([...groups, ['main', main(count)]]),
    ),
  );
  const step = fc.record({
    cluster: fc.nat(clusters.length - 1),
    edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
  });

  function main(count: number): Group {
    return { name: 'main', roles: ['control-plane', 'infra'], count };
  }

  test('nodes keep their addresses, share none, and get none that is or was just in use', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 15 }), (steps) => {
        const groups = clusters.map(() => new Map([['main', main(1)]]));
        const plans: (ClusterPlan | undefined)[] = clusters.map(() => undefined);
        for (const { cluster, edits } of steps) {
          groups[cluster] = edits.reduce((now, change) => change(now), groups[cluster] ?? new Map());
          const current = plans[cluster];
          const others = plans.filter((each) => each !== undefined && each !== current);
          const after = planCluster({
            ...declare({ ...clusters[cluster], nodeGroups: [...groups[cluster].values()] }),
            site,
            current,
            others: others as ClusterPlan[],
          });
          if (current) expectContinuity(current, after);
          expectOrder(after, site);
          plans[cluster] = after;
          expectApart(plans.filter((each) => each !== undefined));
        }
      }),
      { numRuns: 150 },
    );
  });
});

/** Remaining nodes keep everything; new ones get nothing that was in use until now. */
function expectContinuity(before: ClusterPlan, after: ClusterPlan): void {
  const keys = ['address', 'podNetwork', 'externalAddress'] as const;
  const old = new Map(before.nodes.map((node) => [node.name, node]));
  for (const key of keys) {
    const held = new Set(before.nodes.map((node) => node[key]));
    for (const node of after.nodes) {
      const mine = old.get(node.name)?.[key];
      if (mine !== undefined && node[key] !== undefined) expect(node[key]).toBe(mine);
      else if (node[key] !== undefined) expect(held).not.toContain(node[key]);
    }
  }
  // As many nodes of a group as possible stay.
  for (const group of new Set(after.nodes.map((node) => node.group))) {
    const [then, now] = [before, after].map(({ nodes }) => nodes.filter((node) => node.group === group));
    const stayed = now?.filter((node) => old.has(node.name)) ?? [];
    expect(stayed.length).toBe(Math.min(then?.length ?? 0, now?.length ?? 0));
  }
  expect(after.api).toMatchObject({ address: before.api.address, externalAddress: before.api.externalAddress });
  if (before.network.kind === 'sdn') expect(after.network).toMatchObject({ router: before.network.router });
}

/** Nothing is shared, and everything is in its pool and not reserved. */
function expectOrder({ nodes, network, api, declared }: ClusterPlan, site: Site): void {
  const { nodeNetwork, podNetwork, podNetworkNodePrefix, k8sAPIAddress } = declared.clusterConfiguration;
  expectDistinct(nodes.map((node) => node.name));
  expectDistinct(nodes.map((node) => node.address));
  expectDistinct(nodes.map((node) => node.podNetwork));

  const { first, last } = ipv4.parseNetwork(nodeNetwork);
  const reserved =
    network.kind === 'sdn' && api.balancing.by === 'sdn'
      ? [network.service.gateway, api.address, api.balancing.healthCheckSource]
      : [network.kind === 'site' ? network.gateway : undefined, k8sAPIAddress];
  expectWithin(
    nodes.map((node) => node.address),
    declared.provider.vsphere?.addresses ?? [`${ipv4.formatAddress(first + 1)}-${ipv4.formatAddress(last - 1)}`],
  );
  expect(nodes.filter((node) => reserved.includes(node.address))).toEqual([]);

  const pods = ipv4.parseNetwork(podNetwork);
  const parts = nodes.map((node) => ipv4.parseNetwork(node.podNetwork));
  expect(parts.filter((part) => part.prefix !== podNetworkNodePrefix || !ipv4.contains(pods, part))).toEqual([]);

  if (network.kind !== 'sdn') return;
  const external = declared.externalNetwork ?? site.external;
  const outside = outsideOf(network);
  expectDistinct(outside);
  expectWithin(outside, external.addresses);
  expect(outside).not.toContain(external.gateway);
  expect(outside).not.toContain(site.universe.externalAddress);
  expect(network.router.transitAddress).not.toBe(site.transit.integrationRouter);
  const published = new Map(network.published.map((each) => [each.name, each.externalAddress]));
  for (const node of nodes) expect(node.externalAddress).toBe(published.get(node.name));
}

/** Clusters share no external and no transit address. */
function expectApart(plans: readonly ClusterPlan[]): void {
  const networks = plans.flatMap(({ network }) => (network.kind === 'sdn' ? [network] : []));
  expectDistinct(networks.map(({ router }) => router.transitAddress));
  expectDistinct(networks.flatMap(outsideOf));
}

function outsideOf({ router, published }: Extract<ClusterPlan['network'], { kind: 'sdn' }>): string[] {
  return [router.externalAddress, ...published.map((each) => each.externalAddress)];
}

function expectDistinct(values: readonly string[]): void {
  expect(new Set(values).size).toBe(values.length);
}

function expectWithin(addresses: readonly string[], ranges: readonly string[]): void {
  const parsed = ranges.map(ipv4.parseRange);
  const astray = addresses.filter((each) => !parsed.some((range) => ipv4.contains(range, ipv4.parseRange(each))));
  expect(astray).toEqual([]);
}

describe('an exhausted pool is reported', () => {
  const workers = (count: number): Group[] => [
    { name: 'main', roles: allRoles },
    { name: 'worker', roles: ['worker'], count },
  ];

  test('node addresses', () => {
    const small = { config: { nodeNetwork: '10.20.0.0/28' } };
    expect(problemsOf(() => plan({ ...small, nodeGroups: workers(4) }))).toEqual([]);
    expect(problemsOf(() => plan({ ...small, nodeGroups: workers(5) }))).toMatchObject([
      {
        code: 'NOVA5001',
        params: {
          pool: { en: 'node addresses' },
          range: '10.20.0.0/28',
          consumer: 'demo-worker-5',
          needed: 6,
          free: 5,
        },
      },
    ]);
  });

  test('pod networks', () => {
    const small = { config: { podNetwork: '10.233.64.0/23' } };
    expect(problemsOf(() => plan({ ...small, nodeGroups: workers(1) }))).toEqual([]);
    expect(problemsOf(() => plan({ ...small, nodeGroups: workers(2) }))).toMatchObject([
      {
        code: 'NOVA5001',
        params: {
          pool: { en: 'pod networks' },
          range: '10.233.64.0/23, /24',
          consumer: 'demo-worker-2',
          needed: 3,
          free: 2,
        },
      },
    ]);
  });

  test('external addresses', () => {
    const small = (addresses: string[]) => ({ ...zvirt, externalNetwork: { ...zvirt.externalNetwork, addresses } });
    expect(problemsOf(() => plan(small(['10.250.24.171-10.250.24.173'])))).toEqual([]);
    expect(problemsOf(() => plan(small(['10.250.24.171', '10.250.24.180'])))).toMatchObject([
      {
        code: 'NOVA5001',
        params: {
          pool: { en: 'external addresses' },
          range: '10.250.24.171, 10.250.24.180',
          consumer: 'demo-main-1',
          needed: 3,
          free: 2,
        },
      },
    ]);
  });

  test('transit addresses', () => {
    const site = { ...defaultSite, transit: { network: '100.64.0.0/30', integrationRouter: '100.64.0.1' } };
    const other = plan({ config: { clusterName: 'other', nodeNetwork: '10.21.0.0/24' } }, { site });
    expect(problemsOf(() => plan({}, { site, others: [other] }))).toMatchObject([
      {
        code: 'NOVA5001',
        params: { pool: { en: 'transit addresses' }, range: '100.64.0.0/30', consumer: 'demo-router' },
      },
    ]);
  });

  test('all pools at once', () => {
    const small = { config: { nodeNetwork: '10.20.0.0/28', podNetwork: '10.233.64.0/24' }, nodeGroups: workers(5) };
    expect(problemsOf(() => plan(small))).toMatchObject([
      { params: { pool: { en: 'node addresses' } } },
      { params: { pool: { en: 'pod networks' } } },
    ]);
  });
});

describe('secrets', () => {
  const server = { server: 'http://proxy.local', port: 3128, username: 'proxy-user', password };

  test.each<[string, Declaration]>([
    ['zvirt', { ...zvirt, provider: { type: 'zvirt', zvirt: { ...zvirt.provider.zvirt, password } } }],
    ['ovirt', { ...zvirt, provider: { type: 'ovirt', ovirt: { ...zvirt.provider.zvirt, password } } }],
    ['vsphere', { ...vsphere, provider: { type: 'vsphere', vsphere: { ...vsphere.provider.vsphere, password } } }],
    ['a proxy', { proxy: { httpProxy: server, httpsProxy: server } }],
  ])('no password of %s is in the plan', (_, declaration) => {
    expect(JSON.stringify(declare(declaration))).toContain(password);
    expect(JSON.stringify(plan(declaration))).not.toContain(password);
  });
});

test('a cluster with several control planes is highly available', () => {
  const topology = (count: number) => plan({ nodeGroups: [{ name: 'main', roles: allRoles, count }] }).cluster.topology;
  expect([1, 3, 5].map(topology)).toEqual(['SingleReplica', 'HighlyAvailable', 'HighlyAvailable']);
});

describe('the kind of machines', () => {
  const group = (name: string, more: Partial<Group> = {}): Group => ({ name, roles: ['worker'], ...more });
  const kinds = (provider: Declaration['provider'], input: Parameters<typeof plan>[1] = {}, more: Group[] = []) => {
    const nodeGroups: Group[] = [
      { name: 'main', roles: allRoles },
      group('one', { machineKind: 'vm' }),
      group('two', { machineKind: 'container' }),
      ...more,
    ];
    const { cluster, nodes } = plan({ nodeGroups, ...(provider && { provider }) }, input);
    return [cluster.machineKind, ...nodes.map(({ machineKind }) => machineKind)];
  };

  test('is that of the group, else of the provider, else of the host', () => {
    expect(kinds({ type: 'local', machineKind: 'vm' }, { hostKind: 'container' })).toEqual([
      'vm',
      'vm',
      'vm',
      'container',
    ]);
    expect(kinds({ type: 'local' }, { hostKind: 'container' })).toEqual(['container', 'container', 'vm', 'container']);
    expect(kinds({ type: 'local' })).toEqual([undefined, undefined, 'vm', 'container']);
  });

  test('stays when the host gains or loses KVM, also for new groups', () => {
    for (const [before, after] of [['container', 'vm'] as const, ['vm', 'container'] as const]) {
      const current = plan({}, { hostKind: before });
      expect(kinds({ type: 'local' }, { current, hostKind: after }, [group('new')])).toEqual([
        before,
        before,
        'vm',
        'container',
        before,
      ]);
      expect(diffPlans(current, plan({}, { current, hostKind: after }))).toEqual([]);
    }
  });

  test('of a cluster of an earlier release is container', () => {
    const current = plan();
    expect(plan({}, { current, hostKind: 'vm' })).toEqual(current);
    expect(plan({}, { current }).nodes.map(machineKindOf)).toEqual(['container']);
    expect(diffPlans(current, plan({}, { hostKind: 'container' }))).toEqual([]);
  });

  test('does not exist for other providers', () => {
    expect(plan(zvirt, { hostKind: 'vm' }).nodes.map(({ machineKind }) => machineKind)).toEqual([undefined]);
  });
});

test('a restart for less memory is a disruption, and for a VM one for fewer processors', () => {
  const disrupted = (machineKind: 'container' | 'vm', size: Partial<Group>) => {
    const sized = (more: Partial<Group> = {}) =>
      plan({
        nodeGroups: [{ name: 'main', roles: allRoles, machineKind, cpu: 2, memory: '4Gi', disk: '20Gi', ...more }],
      });
    return diffPlans(sized(), sized(size)).some(({ kind, disruption }) => kind === 'node' && disruption !== undefined);
  };
  const sizes = [{ cpu: 4 }, { memory: '8Gi' }, { disk: '40Gi' }, { cpu: 1 }, { memory: '2Gi' }];
  expect(sizes.map((size) => disrupted('vm', size))).toEqual([false, false, false, true, true]);
  expect(sizes.map((size) => disrupted('container', size))).toEqual([false, false, false, false, true]);
});
