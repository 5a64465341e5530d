import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { modules as allModules, bytesOf, ProblemError } from '@nova-platform/api';
import { isEmpty } from '@nova-platform/change/view';
import { ClusterChanges, clusterOperations, type Preview } from '@nova-platform/cluster';
import { createRequest } from '@nova-platform/config-manager/testing';
import { revisionOf } from '@nova-platform/delivery';
import { Providers } from '@nova-platform/infra';
import { memoryResources, storedSize } from '@nova-platform/infra/testing';
import type { KubernetesObject } from '@nova-platform/kubernetes';
import { Operations } from '@nova-platform/operations';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { startTestUniverse, type TestUniverse } from './testing/universe.ts';

// Everything of Universe is real, over TLS on loopback. Machines, SDN, API, etcd, Flux and agents are in memory.

/** Steps wait for real machines; here they wait less. */
const speed = vi.hoisted(() => 20);
vi.mock('node:timers/promises', async (original) => {
  const real = await original<typeof import('node:timers/promises')>();
  const sleep: typeof real.setTimeout = (milliseconds, ...rest) =>
    real.setTimeout((milliseconds ?? 0) / speed, ...rest);
  return { ...real, setTimeout: sleep };
});

const release = '0.1.0';
const digest = `sha256:${'0'.repeat(64)}`;
const flux = ['source', 'kustomize', 'helm', 'notification', 'image-reflector', 'image-automation'];

let folder: string;
let universe: TestUniverse;
let key: string;
let revision: string;
const servers: Server[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-previews-'));
  // A registry that has every image.
  const distribution = createServer((_request, response) =>
    response.writeHead(200, { 'docker-content-digest': digest }).end(),
  ).listen(0, '127.0.0.1');
  await once(distribution, 'listening');
  const { port } = distribution.address() as AddressInfo;
  const registrySocket = join(folder, 'registry.sock');
  const registry = createServer((_request, response) =>
    response.end(JSON.stringify({ url: `http://127.0.0.1:${port}`, username: 'x', password: 'x' })),
  ).listen(registrySocket);
  servers.push(distribution, registry);
  universe = await startTestUniverse({ registrySocket });
  ({ key } = await createRequest('any'));
  revision = revisionOf(await universe.universe.parts.delivery.releases.publish(release, releaseFiles()));
});
afterAll(async () => {
  await universe.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true });
});

function releaseFiles(): Record<string, string> {
  const controllers = flux.map((name) => `${name}-controller`);
  const images = controllers.map((name) => ({ name, component: `flux-${name}`, version: '1.0.0', digest }));
  const modules = { 'local-path': [], ingress: [], 'nova-dns': ['ingress'], 'metrics-server': [] };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'kustomizations.kustomize.toolkit.fluxcd.io' },
  };
  return {
    'release.yaml': stringify({ version: release, images, flux: controllers }),
    'flux/crds/kustomizations.yaml': stringify(definition),
    ...Object.fromEntries(
      Object.entries(modules).map(([name, needs]) => {
        const described = { category: 'base', version: '1.0.0', needs, description: { en: name, ru: name } };
        return [`modules/${name}/module.yaml`, stringify({ name, ...described, images: [] })];
      }),
    ),
  };
}

const size = {
  cpu: fc.integer({ min: 1, max: 4 }),
  memory: fc.constantFrom('2Gi', '2048Mi', '3Gi', '4G', '1500M', '2e9', '2.5G'),
  disk: fc.constantFrom('20Gi', '30Gi', '20G', '1Ti'),
};
const manifests = fc.record({
  main: fc.record({ ...size, count: fc.constantFrom(1, 1, 3) }),
  work: fc.record({
    ...size,
    machineKind: fc.option(fc.constantFrom('container' as const, 'vm' as const), { nil: undefined }),
    roles: fc.subarray(['infra', 'ingress', 'worker'], { minLength: 1 }),
    count: fc.integer({ min: 0, max: 2 }),
    labels: fc.dictionary(fc.constantFrom('zone', 'example.com/tier'), fc.constantFrom('a', 'b')),
    taints: fc.uniqueArray(
      fc.record({
        key: fc.constantFrom('gpu', 'example.com/slow'),
        value: fc.constantFrom('x', 'y'),
        effect: fc.constantFrom('NoSchedule', 'NoExecute'),
      }),
      { selector: ({ key: each, effect }) => `${each} ${effect}`, maxLength: 2 },
    ),
  }),
  fqdn: fc.option(fc.constantFrom('api.demo.local', 'k8s.demo.local'), { nil: undefined }),
  proxy: fc.option(fc.constantFrom('one', 'two'), { nil: undefined }),
  metrics: fc.option(fc.record({ enabled: fc.boolean(), resolutionSeconds: fc.constantFrom(15, 30) }), {
    nil: undefined,
  }),
  volumes: fc.constantFrom('/var/lib/nova/volumes', '/srv/volumes'),
});
type Manifest = typeof manifests extends fc.Arbitrary<infer T> ? T : never;

/** Of the provider. */
const kinds = fc.constantFrom(undefined, 'container' as const, 'vm' as const);
type Kind = typeof kinds extends fc.Arbitrary<infer T> ? T : never;

/** Events that change a machine outside Universe. */
const incidents = fc.record({
  machine: fc.nat({ max: 4 }),
  kind: fc.constantFrom('stopped', 'lost', 'resized'),
});
type Incident = typeof incidents extends fc.Arbitrary<infer T> ? T : never;

function documentsOf(cluster: string, isDnsExternal: boolean, machineKind: Kind, manifest: Manifest): string {
  const { main, work, fqdn, proxy, metrics, volumes } = manifest;
  const document = (kind: string, version: string, spec: object) =>
    JSON.stringify({ apiVersion: `config.nova-platform.io/${version}`, kind, metadata: { name: 'cluster' }, spec });
  const dnsBaseDomain = `${cluster}.nova.local`;
  const server = { server: 'http://172.31.100.100', port: 3128, username: 'nova', password: proxy };
  const forwardZones = [{ name: dnsBaseDomain, server: '10.0.0.1' }];
  return [
    document('Infrastructure', 'v1alpha4', {
      provider: { type: 'local', machineKind },
      nodeGroups: [
        { name: 'main', roles: ['control-plane', 'infra', 'ingress'], ...main },
        { name: 'work', ...work },
      ],
      clusterConfiguration: {
        dnsBaseDomain,
        nodeNetwork: '127.0.79.0/24',
        ...(fqdn !== undefined && { k8sAPIDefaultFqdn: fqdn }),
        modules: [
          { name: 'local-path', settings: { path: volumes } },
          ...(metrics
            ? [
                {
                  name: 'metrics-server',
                  enabled: metrics.enabled,
                  settings: { resolutionSeconds: metrics.resolutionSeconds },
                },
              ]
            : []),
        ],
        ...(isDnsExternal && { extraOptions: { dns: { customerDns: { enable: true, forwardZones } } } }),
      },
    }),
    ...(proxy === undefined ? [] : [document('Proxy', 'v1alpha1', { httpProxy: server, httpsProxy: server })]),
  ].join('\n---\n');
}

let clusterCount = 0;

/** Universe with a cluster in memory. */
function composed() {
  clusterCount += 1;
  const cluster = `demo${clusterCount}`;
  const { journal, config, clusters, connections, delivery, registry } = universe.universe.parts;
  const errors: unknown[] = [];
  const memory = new MemoryCluster(config.services, key, revision, (error) => errors.push(error));
  const infra = new Providers({ local: memory.provider });
  const tools = { clusters, config, connections, delivery, infra, publishNames: async () => undefined };
  const kinds = clusterOperations(tools);
  const operations = new Operations(journal, Object.values(kinds), (error) => errors.push(error));
  const changes = new ClusterChanges({ ...tools, registry, operations, kinds });
  return {
    cluster,
    memory,
    operations,
    changes,
    config,
    errors,
    async [Symbol.asyncDispose]() {
      await operations.close();
      await memory.close();
      await config.services.catalogs.forget(cluster);
      await clusters.remove(cluster);
    },
  };
}
type Composed = ReturnType<typeof composed>;

/**
 * The first case: machines are created, resized, restarted, started and removed; labels, taints and a module are
 * removed.
 */
const example: [boolean, Kind, Manifest, Manifest, Incident[], Incident] = [
  false,
  'vm',
  {
    main: { cpu: 2, memory: '4G', disk: '20Gi', count: 1 },
    work: {
      roles: ['worker'],
      cpu: 1,
      memory: '3Gi',
      disk: '20G',
      count: 2,
      labels: { zone: 'a' },
      taints: [{ key: 'gpu', value: 'x', effect: 'NoSchedule' }],
      machineKind: 'container',
    },
    fqdn: undefined,
    proxy: 'one',
    metrics: { enabled: true, resolutionSeconds: 30 },
    volumes: '/srv/volumes',
  },
  {
    main: { cpu: 3, memory: '4G', disk: '20Gi', count: 3 },
    work: {
      roles: ['infra', 'worker'],
      cpu: 1,
      memory: '1500M',
      disk: '20G',
      count: 1,
      labels: {},
      taints: [],
      machineKind: 'container',
    },
    fqdn: 'api.demo.local',
    proxy: 'two',
    metrics: undefined,
    volumes: '/var/lib/nova/volumes',
  },
  [],
  { machine: 1, kind: 'stopped' },
];

/** All state that a change can affect. */
async function stateOf({ cluster, memory, config }: Composed) {
  const { provider, kubernetes } = memory;
  const plan = (await config.services.catalogs.plans.all()).find((each) => each.cluster.name === cluster);
  const catalogs = (plan?.nodes ?? []).map(
    async ({ name }) => [name, (await config.services.catalogs.approved(name))?.id] as const,
  );
  return structuredClone({
    machines: Object.fromEntries(provider.state),
    networks: provider.networkPlans.get(cluster),
    catalogs: Object.fromEntries(await Promise.all(catalogs)),
    objects: Object.fromEntries(
      [...kubernetes.objects.values()].map((object): [string, KubernetesObject] => {
        const { resourceVersion: _version, generation: _generation, ...metadata } = object.metadata;
        return [idOf(object), { ...object, metadata } as KubernetesObject];
      }),
    ),
  });
}
type State = Awaited<ReturnType<typeof stateOf>>;

/** `Deployment kube-system/coredns` */
function idOf({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** Keys whose values differ. */
function differing(one: object, other: object): string[] {
  const [before, after] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((each) => !isDeepStrictEqual(before.get(each), after.get(each)))
    .toSorted();
}

/** Declares documents as previewed and waits for the operation; checks that it did what the preview lists. */
async function applied(composition: Composed, documents: string, { plan, change, digest: approved }: Preview) {
  const { cluster, memory, changes, operations } = composition;
  const before = await stateOf(composition);
  memory.provider.log.length = 0;
  memory.runs.length = 0;
  const started = await changes.declare(cluster, documents, { digest: approved, seen: undefined, by: 'test' });
  expect(started === undefined).toBe(isEmpty(change));
  if (started) {
    const ended = await Promise.race([operations.ended(started.id), sleep(20_000 * speed, undefined, { ref: false })]);
    const { state, steps, failure } = ended ?? (await operations.show(started.id));
    const waiting = steps.filter((step) => step.state !== 'done').map(({ name }) => name);
    expect({ state, failure, waiting }).toEqual({ state: 'done', waiting: [] });
  }
  const after = await stateOf(composition);
  expectMachines(change, before, after, memory.provider.log);
  expectCatalogs(change, before, after, memory.runs);
  expectNodes(plan, change, before, after);
  expectObjects(change, before, after);
  expectModules(plan, after);
  expect(after.networks).toEqual({ network: plan.network, api: plan.api });
  const planes = plan.nodes.filter(({ roles }) => roles.includes('control-plane'));
  expect(memory.provider.networkState.get(cluster)).toEqual(planes.map(({ name }) => name));
  expect(memory.etcd.members.map(({ address }) => address).toSorted()).toEqual(
    planes.map(({ address }) => address).toSorted(),
  );
  expect(composition.errors).toEqual([]);
}

type Change = Preview['change'];

/** The provider changed the listed machines as listed, and no others. */
function expectMachines({ machines }: Change, before: State, after: State, log: readonly string[]): void {
  const calls: Record<string, string[]> = {};
  const expected = structuredClone(before.machines);
  const add = (name: string, ...more: string[]) => {
    calls[name] = [...(calls[name] ?? []), ...more];
  };
  for (const machine of machines) {
    const { name } = machine;
    const there = expected[name];
    switch (machine.action) {
      case 'create':
      case 'replace':
        add(name, ...(machine.action === 'replace' ? ['remove'] : []), 'create');
        expected[name] = {
          ...(after.machines[name] as State['machines'][string]),
          ...storedSize(machine.size),
          kind: machine.machineKind ?? 'container',
          state: 'running',
        };
        break;
      case 'start':
        add(name, 'start');
        if (there) there.state = 'running';
        break;
      case 'resize':
        add(name, ...(machine.isLive ? ['resize'] : ['stop', 'resize', 'start']));
        Object.assign(
          there ?? {},
          storedSize(Object.fromEntries(machine.fields.map(({ name: field, after: size }) => [field, size]))),
        );
        break;
      case 'remove':
        add(name, ...(there ? ['stop', 'remove'] : []));
        delete expected[name];
    }
  }
  const made = log.filter((line) => !/^(network|balance) /.test(line)).map((line) => line.split(' '));
  const madeOf = Map.groupBy(made, ([, name = '']) => name);
  expect(Object.fromEntries([...madeOf].map(([name, lines]) => [name, lines.map(([call]) => call)]))).toEqual(
    Object.fromEntries(Object.entries(calls).filter(([, lines]) => lines.length > 0)),
  );
  expect(after.machines).toEqual(expected);
}

/** Exactly the listed nodes got new catalogs, and exactly their agents ran, besides those of booted machines. */
function expectCatalogs({ machines, catalogs }: Change, before: State, after: State, runs: readonly string[]): void {
  const removed = new Set(machines.filter(({ action }) => action === 'remove').map(({ name }) => name));
  const changed = differing(before.catalogs, after.catalogs).filter((name) => !removed.has(name));
  const listed = catalogs.filter(({ changes, isFirst }) => changes.length > 0 || isFirst).map(({ node }) => node);
  const isReplaced = (name: string) => machines.some((each) => each.name === name && each.action === 'replace');
  expect(changed.filter((name) => !isReplaced(name))).toEqual(listed.filter((name) => !isReplaced(name)).toSorted());
  const booted = machines.flatMap((machine) =>
    machine.action === 'remove' || (machine.action === 'resize' && machine.isLive) ? [] : [machine.name],
  );
  expect([...new Set(runs)].toSorted()).toEqual(
    [...new Set([...catalogs.map(({ node }) => node), ...booted])].toSorted(),
  );
}

interface Node extends KubernetesObject {
  metadata: KubernetesObject['metadata'] & { labels?: Record<string, string> };
  spec: { taints?: { key: string; value?: string; effect: string }[]; unschedulable?: boolean };
}

/** The cluster has the planned nodes with the planned labels and taints; labels and taints of users stay. */
function expectNodes({ nodes }: Preview['plan'], { items, machines }: Change, before: State, after: State): void {
  const nodesOf = ({ objects }: State) =>
    Object.fromEntries(
      Object.values(objects)
        .filter(({ kind }) => kind === 'Node')
        .map((object) => {
          const { metadata, spec } = object as Node;
          const { taints = [], unschedulable = false } = spec;
          const byKey = taints.toSorted((one, other) => (one.key + one.effect < other.key + other.effect ? -1 : 1));
          return [metadata.name, { labels: metadata.labels ?? {}, taints: byKey, unschedulable }];
        }),
    );
  const [old, now] = [nodesOf(before), nodesOf(after)];
  const isNew = (name: string) =>
    machines.some((each) => each.name === name && ['create', 'replace'].includes(each.action));
  const expected = nodes.map(({ name, labels, taints }) => {
    const foreign = isNew(name) ? {} : (old[name]?.labels ?? {});
    const ofUser = Object.entries(foreign).filter(([label]) => label === userLabel);
    const byKey = taints.toSorted((one, other) => (one.key + one.effect < other.key + other.effect ? -1 : 1));
    return [name, { labels: { ...Object.fromEntries(ofUser), ...labels }, taints: byKey, unschedulable: false }];
  });
  expect(now).toEqual(Object.fromEntries(expected));
  const listed = items.filter(({ kind }) => kind === 'node').map(({ id }) => id);
  const gone = machines.filter(({ action }) => action === 'remove').map(({ name }) => name);
  for (const name of differing(old, now))
    expect([...listed, ...gone, ...nodes.map((each) => each.name).filter(isNew)]).toContain(name);
}

const userLabel = 'user.example.com/owner';

/** A user labels all nodes. */
function labelNodes({ memory: { kubernetes } }: Composed): void {
  for (const [path, { kind }] of kubernetes.objects)
    if (kind === 'Node')
      kubernetes.respond({
        method: 'PATCH',
        url: new URL(path, 'https://localhost'),
        contentType: 'application/merge-patch+json',
        body: { metadata: { labels: { [userLabel]: 'ann' } } },
      });
}

/** Each listed object changed as listed; any other changed object belongs to another listed change. */
function expectObjects({ isNew, documents, machines, items }: Change, before: State, after: State): void {
  const changed = differing(before.objects, after.objects);
  for (const { action, id } of items.filter(({ kind }) => kind === 'object')) {
    expect(changed, `${action} ${id}`).toContain(id);
    expect(Object.hasOwn(after.objects, id), `${action} ${id}`).toBe(action !== 'remove');
  }
  if (isNew) return;
  const has = (kind: string, name?: string) =>
    items.some((item) => item.kind === kind && (name === undefined || item.id === name));
  // Some objects count nodes, by role.
  const isCounted =
    machines.some(({ action }) => action === 'create' || action === 'remove') ||
    items.some(({ kind, fields }) => kind === 'node' && fields.some(({ name }) => name === 'roles'));
  // Secrets of the proxy are in no plan, so a new password is a changed document.
  const hasProxy = has('proxy') || documents.some(({ name }) => name.startsWith('Proxy'));
  const unlisted = changed.filter((id) => {
    const [kind = '', name = ''] = id.split(' ');
    const [, module = ''] = /^nova-gitops\/(?:nova-gitops-)?(.+?)(?:-substitute-config)?$/.exec(name) ?? [];
    if (kind === 'Node' || has('object', id)) return false;
    // The token of Flux is renewed.
    if (id === 'Secret nova-gitops/nova-release-git-main') return false;
    if (id === 'Infrastructure cluster' || id === 'Proxy cluster') return documents.length === 0;
    if (id === 'ConfigMap kube-system/nova-machines') return !isCounted;
    if (id === 'ConfigMap nova-gitops/nova-gitops-common-substitute-config') return !isCounted;
    if (id === 'ConfigMap nova-gitops/nova-gitops-nova-dns-substitute-config') return !has('zone');
    if (id === 'Secret nova-ingress/ingress-default') return !has('certificate');
    if (name.endsWith('/nova-proxy')) return !hasProxy && !has('module');
    return !has('module', module) && !hasProxy;
  });
  expect(unlisted).toEqual([]);
}

/** Flux delivers exactly the planned modules, and credentials of the proxy are only where pods need them. */
function expectModules({ modules, proxy }: Preview['plan'], { objects }: State): void {
  const ids = Object.keys(objects);
  expect(ids.filter((id) => id.startsWith('Kustomization ')).toSorted()).toEqual(
    modules.map(({ name }) => `Kustomization nova-gitops/${name}`).toSorted(),
  );
  const namespaces = [
    'nova-gitops',
    ...allModules.flatMap(({ name, namespace }) => (modules.some((each) => each.name === name) ? namespace : [])),
  ];
  expect(ids.filter((id) => /^Secret .*\/nova-proxy$/.test(id)).toSorted()).toEqual(
    proxy ? namespaces.map((name) => `Secret ${name}/nova-proxy`).toSorted() : [],
  );
}

/** The kind of the machines of the second group; this host has no KVM. */
function kindOf(ofProvider: Kind, { work }: Manifest): NonNullable<Kind> {
  return work.machineKind ?? ofProvider ?? 'container';
}

/** Changes machines outside Universe. Returns their names. */
async function happens({ memory }: Composed, list: readonly Incident[], names: readonly string[]): Promise<string[]> {
  const { provider } = memory;
  const left = names.toSorted();
  for (const { machine, kind } of list) {
    const [name = ''] = left.splice(machine % left.length, 1);
    const found = provider.state.get(name);
    if (!found) continue;
    if (kind === 'resized') await provider.machines.resize(name, { memory: `${bytesOf(found.memory) * 2}` });
    // A control plane cannot be lost: etcd would lose a member.
    else if (kind === 'lost' && !name.includes('-main-')) await memory.lose(name);
    else await provider.machines.stop(name);
  }
  return names.filter((name) => !left.includes(name));
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof ProblemError)) throw error;
  return error.problems.map(({ code }) => code);
}

test('between any two manifests, operations do what previews list, and the next preview is empty', async () => {
  // A busy host tries fewer pairs; every run tries different ones.
  const deadline = Date.now() + 25_000;
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      kinds,
      manifests,
      manifests,
      fc.array(incidents, { maxLength: 2 }),
      fc.option(incidents, { nil: undefined }),
      async (isDnsExternal, machineKind, first, second, between, late) => {
        if (Date.now() > deadline) return;
        await using composition = composed();
        const { cluster, changes } = composition;
        const [one, other] = [first, second].map((each) => documentsOf(cluster, isDnsExternal, machineKind, each)) as [
          string,
          string,
        ];
        const declare = (documents: string, approved: string) =>
          changes.declare(cluster, documents, { digest: approved, seen: undefined, by: 'test' });
        await applied(composition, one, await changes.preview(cluster, one));
        const again = await changes.preview(cluster, one);
        expect(isEmpty(again.change)).toBe(true);
        expect(again.resources).toEqual(memoryResources);

        labelNodes(composition);
        const earlier = await happens(composition, between, [...composition.memory.provider.state.keys()]);
        let preview = await changes.preview(cluster, other).catch(codesOf);
        if (!Array.isArray(preview) && late) {
          const { state } = composition.memory.provider;
          const names = preview.plan.nodes.map(({ name }) => name);
          const untouched = names.filter((name) => state.has(name) && !earlier.includes(name));
          if ((await happens(composition, [late], untouched)).length > 0) {
            const before = await stateOf(composition);
            const refusal = await declare(other, preview.digest).then(() => 'none', codesOf);
            preview = await changes.preview(cluster, other).catch(codesOf);
            expect(refusal).toEqual(Array.isArray(preview) ? preview : ['NOVA8017']);
            expect(await stateOf(composition)).toEqual(before);
          }
        }
        if (Array.isArray(preview)) {
          // The change would cost etcd its quorum, or nodes their machines.
          const before = await stateOf(composition);
          const isOtherKind = kindOf(machineKind, first) !== kindOf(machineKind, second);
          const isReplacing = isOtherKind && first.work.count > 0 && second.work.count > 0;
          expect(preview.includes('NOVA3074')).toBe(isReplacing);
          expect(['NOVA3074', 'NOVA8346', 'NOVA8347']).toEqual(expect.arrayContaining(preview));
          expect(await declare(other, '').then(() => [], codesOf)).toEqual(preview);
          expect(await stateOf(composition)).toEqual(before);
        } else {
          await applied(composition, other, preview);
          const last = await changes.preview(cluster, other);
          expect(last.change).toSatisfy(isEmpty);
          expect(await declare(other, last.digest)).toBeUndefined();
        }
      },
    ),
    // Shrinking takes minutes; the error has the seed.
    { numRuns: 30, endOnFailure: true, examples: [example] },
  );
}, 120_000);
