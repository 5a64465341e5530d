import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadDocuments } from '@nova-platform/api';
import { type ClusterConnections, type ClusterTools, Delivery } from '@nova-platform/cluster';
import { attempt, escapes } from '@nova-platform/delivery/testing';
import { openRepositories } from '@nova-platform/git';
import { commitFiles } from '@nova-platform/git/testing';
import { checkAgainstPlans, planOf } from '@nova-platform/plan';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { flux } from '../../cluster/src/steps/flux.ts';
import { source as release } from '../../cluster/src/steps/source.ts';
import { releaseContent, releaseFolder } from '../../installer/src/release-content.ts';
import { type ControlPlane, startControlPlane } from './testing/control-plane.ts';
import { documentsOf, startTestUniverse, type TestUniverse } from './testing/universe.ts';

// A real API server and real Flux controllers, configured as in every cluster. Only nodes are missing.

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const cluster = 'alpha';
const team = 'team-a';
const domain = 'alpha.nova.local';
const tried = escapes({ team, other: 'team-b', base: 'https://base.nova.internal/base.yaml', domain });
const quota = { cpu: '2', memory: '1Gi', volumes: '5Gi', pods: 5 };
let folder: string;
let universe: TestUniverse;
let kubernetes: ControlPlane;
let delivery: Delivery;
let git: Server;
/** The repository of the team. */
let url: string;

const chart = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
  'chart/templates/note.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: charted }\ndata: { word: "{{ .Values.word }}" }\n',
};
const application = {
  'app/note.yaml': JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'own' },
    data: { word: 'ours' },
  }),
};

const asTeam = (args: readonly string[], input?: string) =>
  kubernetes.kubectl([`--as=system:serviceaccount:${team}:${team}`, '-n', team, ...args], input);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-tenants-'));
  const repositories = await openRepositories(folder, () => undefined);
  const files = Object.assign({}, ...tried.map((each) => each.files), chart, application) as Record<string, string>;
  await commitFiles(await repositories.ensure('apps'), files);
  git = createServer((request, response) => void repositories.serve(request, response, request.url ?? ''));
  git.listen(0, '127.0.0.1');
  await once(git, 'listening');
  url = `http://127.0.0.1:${(git.address() as AddressInfo).port}/apps.git`;

  [universe, kubernetes] = await Promise.all([startTestUniverse(), startControlPlane()]);
  const documents = documentsOf(cluster);
  const { operation } = await universe.local.declareCluster({ params: { cluster }, body: { documents } });
  await universe.universe.parts.operations.ended(operation?.id ?? 0);
  const { plan } = planOf(checkAgainstPlans(loadDocuments([{ name: 'alpha.yaml', text: documents }]), []), undefined, {
    newestRelease: '0.1.0',
  });
  const { config, delivery: own } = universe.universe.parts;
  await own.releases.publish('0.1.0', await releaseContent(releaseFolder(), '0.1.0'));
  const connections = { withApi: (_plan, work) => work(kubernetes.api) } as ClusterConnections;
  delivery = new Delivery({
    clusters: { has: async () => true, plan: async () => plan },
    connections,
    secrets: async () => ({}),
    config,
    releases: own.releases,
    url: `https://127.0.0.1:${universe.port}/git/release.git`,
  });
  const { signal } = new AbortController();
  const tools = { delivery, connections } as Partial<ClusterTools> as ClusterTools;
  const holder = { id: 1, kind: 'cluster.create', requestedBy: 'test' };
  const context = { ...tools, operation: holder, plan, item: undefined, log: () => undefined, signal };
  for (const step of [flux, release]) await step.run(context);
  for (const name of [team, 'team-b']) await delivery.createTenant(cluster, { name, quota });
  await keepHosts();
  await kubernetes.kubectl(['-n', 'team-b', 'create', 'secret', 'generic', 'hidden', '--from-literal=word=swordfish']);
  const source = {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'apps', namespace: team },
    spec: { interval: '10m', url, ref: { branch: 'main' } },
  };
  expect(await asTeam(['apply', '-f', '-'], JSON.stringify(source))).toMatchObject({ exitCode: 0 });
  expect(await verdict('gitrepository', 'apps')).toMatchObject({ status: 'True' });
});
afterAll(async () => {
  await kubernetes[Symbol.asyncDispose]();
  await universe.close();
  git.close();
  await rm(folder, { recursive: true });
});

/** Creates an Ingress of the team; returns the reason if it is refused. */
async function publish(rule: object, { spec = {}, annotations = {} } = {}): Promise<string> {
  const ingress = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'page', annotations },
    spec: { rules: [rule], ...spec },
  };
  return (await asTeam(['apply', '--dry-run=server', '-f', '-'], JSON.stringify(ingress))).stderr;
}

/**
 * Applies the policy for hosts of the module `ingress`; without nodes the rest of that module would not become ready.
 */
async function keepHosts(): Promise<void> {
  const policy = await readFile(join(releaseFolder(), 'modules/ingress/tenants.yaml'), 'utf8');
  const applied = await kubernetes.kubectl(['apply', '-f', '-'], policy.replaceAll(/\$\{dnsBaseDomain\}/g, domain));
  expect(applied).toMatchObject({ exitCode: 0 });
  // The API server loads it asynchronously.
  await vi.waitUntil(async () => (await publish({ host: `nova-console.${domain}` })) !== '', { timeout: 60_000 });
}

/** The first result that Flux reports for an object. */
async function verdict(kind: string, name: string): Promise<{ status: string; message: string }> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { stdout } = await asTeam(['get', kind, name, '-o', 'json']);
    const { status } = JSON.parse(stdout || '{}') as {
      status?: { conditions?: { type: string; status: string; message: string }[] };
    };
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    // Its chart may still be loading.
    if (ready && ready.status !== 'Unknown' && !/is not ready|artifact not found/.test(ready.message)) return ready;
    await sleep(200);
  }
  throw new Error(`Flux reports no state of ${kind} ${name}`);
}

describe('a team cannot reach beyond its namespace', () => {
  test.for(tried.map((each, index) => ({ ...each, name: `try-${index}` })))(
    'through Flux: $what',
    async ({ name, refusal, ...way }) => {
      expect(await asTeam(['apply', '-f', '-'], attempt(team, name, { refusal, ...way }))).toMatchObject({
        exitCode: 0,
      });
      const { status, message } = await verdict('kustomization', name);
      expect(status).toBe('False');
      expect(message).toMatch(refusal);
      expect(message).not.toContain('swordfish');
    },
  );

  test('and none of the attempts had an effect', async () => {
    const found = await kubernetes.kubectl(['get', 'configmaps,rolebindings,clusterrolebindings', '-A', '-o', 'name']);
    expect(found.stdout).not.toMatch(/configmap\/note|rolebinding.*\/all$|takes-all/m);
    expect(
      (await kubernetes.kubectl(['-n', team, 'get', 'resourcequota', team, '-o', 'jsonpath={.spec.hard.pods}'])).stdout,
    ).toBe('5');
  });

  test('through its own Helm chart', async () => {
    const release = (name: string, spec: object) =>
      JSON.stringify({
        apiVersion: 'helm.toolkit.fluxcd.io/v2',
        kind: 'HelmRelease',
        metadata: { name, namespace: team },
        spec: {
          interval: '10m',
          chart: { spec: { chart: './chart', sourceRef: { kind: 'GitRepository', name: 'apps' } } },
          ...spec,
        },
      });
    await asTeam(
      ['apply', '-f', '-'],
      release('elsewhere', { serviceAccountName: team, targetNamespace: 'team-b', storageNamespace: team }),
    );
    await asTeam(['apply', '-f', '-'], release('nobody', {}));
    expect((await verdict('helmrelease', 'elsewhere')).message).toMatch(/forbidden/);
    expect((await verdict('helmrelease', 'nobody')).message).toMatch(/:default" cannot/);
    expect((await kubernetes.kubectl(['-n', 'team-b', 'get', 'configmaps', '-o', 'name'])).stdout).not.toContain(
      'charted',
    );
  });

  test('through its own service account', async () => {
    for (const [args, input] of [
      [['-n', 'team-b', 'get', 'secrets'], ''],
      [['-n', 'nova-gitops', 'get', 'secrets'], ''],
      [
        ['-n', 'nova-gitops', 'apply', '-f', '-'],
        attempt('nova-gitops', 'try', {
          what: '',
          files: {},
          refusal: /./,
          spec: { path: './plain', serviceAccountName: 'kustomize-controller' },
        }),
      ],
      [['delete', 'namespace', 'team-b'], ''],
      [['annotate', 'namespace', team, `nova-platform.io/hosts=nova-console.${domain}`], ''],
      [['label', 'namespace', team, 'nova-platform.io/tenant-'], ''],
      [['-n', team, 'delete', 'resourcequota', team], ''],
    ] as const)
      expect(
        (await kubernetes.kubectl([`--as=system:serviceaccount:${team}:${team}`, ...args], input)).stderr,
        args.join(' '),
      ).toContain('forbidden');
  });
});

test('a team publishes under its own hosts and under those an administrator allowed', async () => {
  const shop = `shop--${team}.${domain}`;
  const under = (path: string) => ({
    paths: [{ path, pathType: 'Prefix', backend: { service: { name: 'page', port: { number: 80 } } } }],
  });
  for (const host of [`${team}.${domain}`, shop]) expect(await publish({ host }), host).toBe('');
  for (const host of [
    domain,
    `shop.${domain}`,
    `*.${domain}`,
    `x${team}.${domain}`,
    `shop--team-b.${domain}`,
    'acme.corp',
  ])
    expect(await publish({ host }), host).toContain('a team can publish only the hosts');
  expect(await publish({ http: under('/') })).toContain('a team can publish only the hosts');

  const { backend } = under('/').paths[0] ?? {};
  expect(await publish({ host: shop }, { spec: { defaultBackend: backend } })).toContain('a default backend');
  expect(await publish({ host: shop, http: under('/`) || Host(`a') })).toContain('backticks');
  const annotations = { 'traefik.ingress.kubernetes.io/router.pathmatcher': 'Path(`/`) || Host' };
  expect(await publish({ host: shop }, { annotations })).toContain('annotations of Traefik');
  const nginx = (name: string, value: string) =>
    publish({ host: shop }, { annotations: { [`nginx.ingress.kubernetes.io/${name}`]: value } });
  expect(await nginx('server-alias', domain)).toContain('hosts of others');
  expect(await nginx('from-to-www-redirect', 'true')).toContain('hosts of others');
  expect(await nginx('rewrite-target', '/$1')).toBe('');

  await kubernetes.kubectl(['annotate', 'namespace', team, `nova-platform.io/hosts=acme.corp,shop.${domain}`]);
  await expect.poll(() => publish({ host: 'acme.corp' })).toBe('');
  expect(await publish({ host: `shop.${domain}` })).toBe('');
  expect(await publish({ host: `nova-console.${domain}` })).toContain('a team can publish only the hosts');
});

test('a team delivers its own repository, objects and chart', async () => {
  const own = { serviceAccountName: team, targetNamespace: team };
  const objects = [
    {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name: 'app', namespace: team },
      spec: { interval: '10m', prune: true, path: './app', sourceRef: { kind: 'GitRepository', name: 'apps' }, ...own },
    },
    {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name: 'charted', namespace: team },
      spec: {
        interval: '10m',
        serviceAccountName: team,
        chart: { spec: { chart: './chart', sourceRef: { kind: 'GitRepository', name: 'apps' } } },
        values: { word: 'helm' },
      },
    },
  ];
  for (const object of objects) await asTeam(['apply', '-f', '-'], JSON.stringify(object));
  expect(await verdict('kustomization', 'app')).toMatchObject({ status: 'True' });
  expect(await verdict('helmrelease', 'charted')).toMatchObject({ status: 'True' });
  expect((await asTeam(['get', 'configmaps', 'own', 'charted', '-o', 'jsonpath={.items[*].data.word}'])).stdout).toBe(
    'ours helm',
  );
});

test('an existing team gets a new quota, and a tenant never takes over an existing namespace', async () => {
  await delivery.createTenant(cluster, { name: team, quota: { ...quota, pods: 7 } });
  expect(
    (await kubernetes.kubectl(['-n', team, 'get', 'resourcequota', team, '-o', 'jsonpath={.spec.hard.pods}'])).stdout,
  ).toBe('7');
  await expect(delivery.createTenant(cluster, { name: 'default', quota })).rejects.toMatchObject({
    problems: [{ code: 'NOVA8412' }],
  });
  for (const name of ['nova-gitops', 'kube-system', 'nova-console', 'shop--team-b'])
    await expect(delivery.createTenant(cluster, { name, quota })).rejects.toMatchObject({
      problems: [{ code: 'NOVA8413' }],
    });
});

test('lists the teams with their quotas, and removes one with its namespace but no other namespace', async () => {
  await delivery.createTenant(cluster, { name: 'team-c', quota });
  const listed = await delivery.tenants(cluster);
  expect(listed.map(({ name }) => name)).toEqual([team, 'team-b', 'team-c']);
  expect(listed.at(-1)).toMatchObject({ isBeingRemoved: false, quota });
  await expect(delivery.removeTenant(cluster, 'kube-system')).rejects.toMatchObject({
    problems: [{ code: 'NOVA8414' }],
  });
  await delivery.removeTenant(cluster, 'team-c');
  // Without the controller of namespaces, the namespace stays in this state.
  expect((await delivery.tenants(cluster)).find(({ name }) => name === 'team-c')?.isBeingRemoved ?? true).toBe(true);
});
