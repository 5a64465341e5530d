import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadDocuments } from '@nova-platform/api';
import type { ClusterSecrets } from '@nova-platform/catalog';
import { type ClusterConnections, type ClusterTools, Delivery, withModules } from '@nova-platform/cluster';
import { revisionOf } from '@nova-platform/delivery';
import type { KubernetesApi } from '@nova-platform/kubernetes';
import { type ClusterPlan, checkAgainstPlans, planOf } from '@nova-platform/plan';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { flux } from '../../cluster/src/steps/flux.ts';
import { module } from '../../cluster/src/steps/module.ts';
import { modules } from '../../cluster/src/steps/modules.ts';
import { source } from '../../cluster/src/steps/source.ts';
import { releaseContent, releaseFolder } from '../../installer/src/release-content.ts';
import { type ControlPlane, startControlPlane } from './testing/control-plane.ts';
import { documentsOf, startTestUniverse, type TestUniverse } from './testing/universe.ts';

// A real API server and real Flux controllers, which fetch from a real Universe. Only nodes are missing.

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const cluster = 'alpha';
let folder: string;
let universe: TestUniverse;
let kubernetes: ControlPlane;
let delivery: Delivery;
let plan: ClusterPlan;
let secrets: ClusterSecrets = {};
const log: string[] = [];
const { signal } = new AbortController();
const connections = {
  withApi: <T>(_plan: ClusterPlan, work: (api: KubernetesApi) => Promise<T>) => work(kubernetes.api),
} as ClusterConnections;

function planWith(release: string, enabled: Record<string, boolean> = {}, ...others: object[]): ClusterPlan {
  const text = [withModules(documentsOf(cluster), enabled), ...others.map((each) => JSON.stringify(each))].join(
    '\n---\n',
  );
  return planOf(checkAgainstPlans(loadDocuments([{ name: 'alpha.yaml', text }]), []), undefined, {
    newestRelease: release,
  }).plan;
}

/** Delivers a plan like the operation does. */
async function deliver(next: ClusterPlan): Promise<void> {
  plan = next;
  await delivery.deliverable(plan);
  const tools = { delivery, connections, publishNames: async () => undefined } as Partial<ClusterTools> as ClusterTools;
  const operation = { id: 1, kind: 'cluster.change', requestedBy: 'test' };
  const context = { ...tools, operation, plan, item: undefined, log: (line: string) => log.push(line), signal };
  for (const step of [flux, source, modules]) await step.run(context);
  await Promise.all(
    module
      .items(context)
      .map((item) => module.run({ ...context, item, log: (line) => log.push(`${item.name}: ${line}`) })),
  );
}

async function get(...args: string[]): Promise<string> {
  const { stdout, stderr } = await kubernetes.kubectl(['get', ...args]);
  return stdout.trim() || stderr.trim();
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    if (await isSo()) return;
    await sleep(250);
  }
  throw new Error(`timed out: ${what}`);
}

/** All objects of a cluster, except those that change by themselves. */
async function inventory(): Promise<string[]> {
  const kinds =
    'deployments,daemonsets,configmaps,secrets,services,serviceaccounts,roles,rolebindings,clusterroles,clusterrolebindings,storageclasses,ingressclasses,namespaces,customresourcedefinitions';
  return (
    await get(
      kinds,
      '--all-namespaces',
      '-o',
      'jsonpath={range .items[*]}{.kind}/{.metadata.namespace}/{.metadata.name}{"\\n"}{end}',
    )
  )
    .split('\n')
    .toSorted();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-delivery-'));
  [universe, kubernetes] = await Promise.all([startTestUniverse(), startControlPlane()]);
  const { operation } = await universe.local.declareCluster({
    params: { cluster },
    body: { documents: documentsOf(cluster) },
  });
  await universe.universe.parts.operations.ended(operation?.id ?? 0);
  const { config, repositories, delivery: own } = universe.universe.parts;
  await repositories.ensure('release');
  delivery = new Delivery({
    clusters: { has: async (name) => name === cluster, plan: async () => plan },
    connections,
    secrets: async () => secrets,
    config,
    releases: own.releases,
    url: `https://127.0.0.1:${universe.port}/git/release.git`,
  });
  // An aggregated API without running pods would break API discovery.
  const release = join(folder, 'release');
  await cp(releaseFolder(), release, { recursive: true });
  await rm(join(release, 'modules/metrics-server/api.yaml'));
  const kustomization = join(release, 'modules/metrics-server/kustomization.yaml');
  await writeFile(kustomization, (await readFile(kustomization, 'utf8')).replace('  - api.yaml\n', ''));
  await own.releases.publish('0.1.0', await releaseContent(release, '0.1.0'));
  const server = join(release, 'modules/local-path/provisioner.yaml');
  await writeFile(server, (await readFile(server, 'utf8')).replace('memory: 128Mi', 'memory: 256Mi'));
  await own.releases.publish('0.2.0', await releaseContent(release, '0.2.0'));
});
afterAll(async () => {
  await kubernetes[Symbol.asyncDispose]();
  await universe.close();
  await rm(folder, { recursive: true });
});

test('all base modules become ready in an empty cluster, each with its values', async () => {
  await deliver(planWith('0.1.0'));
  expect((await delivery.modules(cluster)).modules.map(({ name, state }) => `${name} ${state}`).toSorted()).toEqual([
    'ingress ready',
    'local-path ready',
    'metrics-server off',
    'nova-dns ready',
  ]);
  const values = JSON.parse(
    await get('configmap', '-n', 'nova-gitops', 'nova-gitops-common-substitute-config', '-o', 'jsonpath={.data}'),
  ) as Record<string, string>;
  expect(values).toEqual({
    clusterId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    controlPlaneTopology: 'SingleReplica',
    dnsBaseDomain: 'alpha.nova.local',
    imageRepository: 'hub.universe.nova.internal:5000/nova',
    infraNodesCount: '1',
    k8sDefaultDnsZone: 'cluster.local',
    mirrorRepoType: 'universe',
  });
  expect(await get('service', '-n', 'nova-dns', 'nova-dns', '-o', 'jsonpath={.spec.clusterIP}')).toBe('10.233.63.254');
  expect(await get('configmap', '-n', 'nova-dns', 'nova-dns', '-o', 'jsonpath={.data.zone}')).toContain(
    '*.alpha.nova.local. 60 IN CNAME alpha.nova.local.',
  );
  expect(await get('daemonset', '-n', 'nova-ingress', 'traefik-infra', '-o', 'jsonpath={..image}')).toMatch(
    /^hub\.universe\.nova\.internal:5000\/nova\/traefik:[\d.]+@sha256:[0-9a-f]{64}$/,
  );
  expect(
    await get(
      'storageclass',
      'local-path',
      '-o',
      'jsonpath={.metadata.annotations.storageclass\\.kubernetes\\.io/is-default-class}',
    ),
  ).toBe('true');
});

test('the log contains what a module waits for', () => {
  expect(log.join('\n')).toMatch(/^Waiting for .*-controller/m);
  expect(log.join('\n')).toMatch(/^(ingress|local-path|nova-dns): ./m);
});

test('a deleted object is restored, and the repair is reported', async () => {
  await kubernetes.kubectl(['delete', 'deployment', '-n', 'nova-storage', 'local-path-provisioner']);
  const now = `reconcile.fluxcd.io/requestedAt=${Date.now()}`;
  await kubernetes.kubectl(['annotate', '--overwrite', 'kustomization', '-n', 'nova-gitops', 'local-path', now]);
  await until('the Deployment', async () =>
    (await get('deployment', '-n', 'nova-storage', '-o', 'name')).includes('local-path-provisioner'),
  );
  await until('the repair', async () => {
    const repaired = (await delivery.modules(cluster)).modules.flatMap((module) =>
      module.repaired ? [[module.name, ...module.repaired.objects]] : [],
    );
    return JSON.stringify(repaired) === '[["local-path","Deployment/nova-storage/local-path-provisioner"]]';
  });
});

test('modules follow their release forward and back', async () => {
  const memory = () =>
    get('deployment', '-n', 'nova-storage', 'local-path-provisioner', '-o', 'jsonpath={..limits.memory}');
  expect(await memory()).toBe('128Mi');
  await deliver(planWith('0.2.0'));
  expect(await memory()).toBe('256Mi');
  await deliver(planWith('0.1.0'));
  expect(await memory()).toBe('128Mi');
  const revision = revisionOf(await delivery.releases.show('0.1.0'));
  expect(
    await get('kustomizations', '-n', 'nova-gitops', '-o', 'jsonpath={.items[*].status.lastAppliedRevision}'),
  ).toBe(Array(3).fill(revision).join(' '));
});

test('disabling a module removes exactly its objects, and it can be enabled again', async () => {
  const before = await inventory();
  await deliver(planWith('0.1.0', { 'metrics-server': true }));
  const during = await inventory();
  const made = during.filter((each) => !before.includes(each));
  expect(made).toContain('Deployment/kube-system/metrics-server');
  expect(made).toContain('ConfigMap/nova-gitops/nova-gitops-metrics-server-substitute-config');
  await deliver(planWith('0.1.0'));
  expect(await inventory()).toEqual(before);
  await deliver(planWith('0.1.0', { 'metrics-server': true }));
  expect(await inventory()).toEqual(during);
});

test('the token of Flux and the ingress certificate are renewed on time, and not before', async () => {
  const secrets = async () => [
    await get('secret', '-n', 'nova-gitops', 'nova-release-git-main', '-o', 'jsonpath={.data.password}'),
    await get('secret', '-n', 'nova-ingress', 'ingress-default', '-o', 'jsonpath={.data.tls\\.crt}'),
  ];
  const [token, certificate] = await secrets();
  await delivery.renew(cluster);
  expect(await secrets()).toEqual([token, certificate]);
  vi.useFakeTimers({ now: Date.now() + 25 * 24 * 3600_000, toFake: ['Date'] });
  try {
    await delivery.renew(cluster);
  } finally {
    vi.useRealTimers();
  }
  const [laterToken, laterCertificate] = await secrets();
  expect(laterToken).not.toBe(token);
  expect(laterCertificate).not.toBe(certificate);
});

test('a declared proxy reaches the pods of Flux and of modules, and is removed with its declaration', async () => {
  await deliver(planWith('0.1.0'));
  const before = await inventory();
  const digest = (...workload: string[]) =>
    get(...workload, '-o', 'jsonpath={.spec.template.metadata.annotations.nova-platform\\.io/proxy}');
  const modulePods = ['daemonset', '-n', 'nova-ingress', 'traefik-infra'];
  expect(await digest(...modulePods)).toBe('none');

  secrets = { proxy: { https: { username: 'ann', password: 'p@ss' } } };
  const httpsProxy = { server: 'http://proxy.local', port: 3128, username: 'ann', password: 'p@ss' };
  const authority = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  await deliver(
    planWith(
      '0.1.0',
      {},
      {
        apiVersion: 'config.nova-platform.io/v1alpha1',
        kind: 'Proxy',
        metadata: { name: 'cluster' },
        spec: { httpsProxy, noProxy: '.mycompany.local', trustedCA: Buffer.from(authority).toString('base64') },
      },
    ),
  );
  for (const namespace of ['nova-gitops', 'nova-ingress', 'nova-storage', 'nova-dns']) {
    const { data } = JSON.parse(await get('secret', '-n', namespace, 'nova-proxy', '-o', 'json')) as {
      data: Record<string, string>;
    };
    const variables = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, atob(value)]));
    expect(variables).toEqual({
      HTTPS_PROXY: 'http://ann:p%40ss@proxy.local:3128',
      NO_PROXY: `${plan.proxy?.noProxy.join(',')},.cluster.local.`,
      SSL_CERT_DIR: '/etc/nova/proxy',
    });
    expect(await get('configmap', '-n', namespace, 'nova-proxy', '-o', 'jsonpath={.data.proxy\\.crt}')).toBe(
      authority.trim(),
    );
  }
  const flux = await digest('deployment', '-n', 'nova-gitops', 'source-controller');
  expect(flux).toMatch(/^[0-9a-f]{12}$/);
  await until('pods of modules with the proxy', async () => (await digest(...modulePods)) === flux);

  secrets = {};
  await deliver(planWith('0.1.0'));
  await until('pods of modules without it', async () => (await digest(...modulePods)) === 'none');
  expect(await inventory()).toEqual(before);
});
