import { setTimeout as sleep } from 'node:timers/promises';
import { execIn } from '@nova-platform/contracts/engine/client';
import type { Operation } from '@nova-platform/contracts/universe/client';
import { KubernetesApi } from '@nova-platform/kubernetes';
import { stringify } from 'yaml';
import { novaCtl } from './host.ts';
import { result } from './measure.ts';
import { universe } from './nova-cluster.ts';

// Measures the time from a responding API of a new cluster until all base modules are ready, the cost of the modules,
// and the cost of a reconciliation without changes.

const cluster = 'bench-delivery';
const params = { cluster };
const node = `${cluster}-main-1`;
const pause = 200;
/** Maximum seconds from the API to the last module, including image pulls, on a host with two cores. */
const timeGoal = 60;
/** Maximum megabytes of anonymous memory of Flux and all base modules together. */
const memoryGoal = 300;
/** Maximum CPU-seconds of a reconciliation of all modules. */
const reconcileGoal = 5;

const documents = stringify({
  apiVersion: 'config.nova-platform.io/v1alpha4',
  kind: 'Infrastructure',
  metadata: { name: 'cluster' },
  spec: {
    provider: { type: 'local', machineKind: 'container' },
    nodeGroups: [{ name: 'main', roles: ['control-plane', 'infra', 'ingress', 'worker'], cpu: 2, memory: '4Gi' }],
    clusterConfiguration: { clusterName: cluster, dnsBaseDomain: 'bench.nova.local', nodeNetwork: '10.62.0.0/24' },
  },
});

const isOurs = !(await runs());
if (isOurs) await novaCtl('up', '--no-cluster');
try {
  await novaCtl('component', 'build');
  await novaCtl('image', 'build', 'kubernetes-node');
  await novaCtl('registry', 'import');
  await novaCtl('release', 'import');
  const { operation } = await universe().declareCluster({ params, body: { documents } });
  times(await ended(operation?.id ?? 0));
  await sleep(10_000);
  memory(await podMemory());
  await reconcile();
  await ended((await universe().destroyCluster({ params })).id);
} finally {
  if (isOurs) await novaCtl('down');
}

async function runs(): Promise<boolean> {
  try {
    await universe().ready({});
    return true;
  } catch {
    return false;
  }
}

function times({ steps }: Operation): void {
  const at = (name: string) => Date.parse(steps.find((step) => step.name === name)?.endedAt ?? '');
  const since = (name: string) => (at(name) - at('api')) / 1000;
  for (const name of ['objects', 'flux', 'source', 'modules']) console.log(`  ${name}: ${since(name).toFixed(1)} s`);
  const modules = steps.map(({ name }) => name).filter((name) => name.startsWith('module/'));
  for (const name of modules) console.log(`  ${name}: ${since(name).toFixed(1)} s`);
  const last = Math.max(...modules.map(since));
  result('delivery-api-to-modules', `${last.toFixed(1)}s`, `<=${timeGoal}s`, last <= timeGoal);
}

function memory(pods: ReadonlyMap<string, number>): void {
  for (const [name, bytes] of pods) console.log(`  ${name}: ${(bytes / 1e6).toFixed(0)} MB`);
  const all = [...pods.values()].reduce((sum, bytes) => sum + bytes, 0) / 1e6;
  result('delivery-memory', `${all.toFixed(0)}MB`, `<=${memoryGoal}MB`, all <= memoryGoal);
}

/** Anonymous memory of every program of Flux and of the modules, as counted by the node's kernel. */
async function podMemory(): Promise<Map<string, number>> {
  const programs = ['source-controller', 'kustomize-controller', 'helm-controller', 'notification-controller'].concat(
    'image-reflector-controller',
    'image-automation-controller',
    'traefik',
    'coredns',
    'local-path-provisioner',
  );
  const script = programs.map(
    (name) => `for p in $(pgrep -f "^/${name}"); do echo ${name} $(awk '/RssAnon/ { print $2 }' /proc/$p/status); done`,
  );
  const found = new Map<string, number>();
  for (const line of (await execIn(node, ['sh', '-c', script.join('\n')])).trim().split('\n')) {
    const [name = '', kibibytes = '0'] = line.split(' ');
    // Two CoreDNS processes run: Nova DNS, and the one of the cluster itself.
    found.set(name, (found.get(name) ?? 0) + Number(kibibytes) * 1024);
  }
  return found;
}

/** Reconciles all modules without changes: duration and CPU time. */
async function reconcile(): Promise<void> {
  const { server, authority, certificate, key } = await universe().kubeconfig({ params });
  const { hostname, port } = new URL(server);
  const api = new KubernetesApi({ host: hostname, port: Number(port), ca: authority, cert: certificate, key });
  const path = '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/nova-gitops/kustomizations';
  interface Listed {
    items: {
      metadata: { name: string };
      status: { lastHandledReconcileAt?: string; conditions: { type: string; status: string }[] };
    }[];
  }
  try {
    const names = (await api.get<Listed>(path)).items.map(({ metadata }) => metadata.name);
    const requestedAt = String(Date.now());
    const [before, startedAt] = [await processorSeconds(), performance.now()];
    for (const name of names)
      await api.merge({
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata: { name, namespace: 'nova-gitops', annotations: { 'reconcile.fluxcd.io/requestedAt': requestedAt } },
      });
    const isDone = ({ items }: Listed) =>
      items.every(
        ({ status: { lastHandledReconcileAt, conditions } }) =>
          lastHandledReconcileAt === requestedAt &&
          conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
      );
    while (!isDone(await api.get<Listed>(path))) await sleep(pause);
    const seconds = (performance.now() - startedAt) / 1000;
    const work = (await processorSeconds()) - before;
    console.log(`  a look at ${names.length} modules that changes nothing: ${seconds.toFixed(1)} s`);
    result('delivery-idle-reconcile', `${work.toFixed(2)}cpu-s`, `<=${reconcileGoal}cpu-s`, work <= reconcileGoal);
  } finally {
    api.close();
  }
}

/** CPU-seconds of Flux and the API server so far. */
async function processorSeconds(): Promise<number> {
  const script = `for p in $(pgrep -f '^/(source|kustomize)-controller|kube-apiserver'); do awk '{ print $14 + $15 }' /proc/$p/stat; done`;
  const ticks = (await execIn(node, ['sh', '-c', script])).trim().split('\n').map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / 100;
}

async function ended(id: number): Promise<Operation> {
  for (;;) {
    const operation = await universe().showOperation({ params: { id } });
    if (operation.state === 'done') return operation;
    if (operation.state !== 'running')
      throw new Error(`operation ${id} is ${operation.state}: ${JSON.stringify(operation.failure)}`);
    await sleep(pause);
  }
}
