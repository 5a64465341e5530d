import { setTimeout as sleep } from 'node:timers/promises';
import { execIn } from '@nova-platform/contracts/engine/client';
import type { Operation, UniverseClient } from '@nova-platform/contracts/universe/client';
import { KubernetesApi, type KubernetesObject } from '@nova-platform/kubernetes';
import { stringify } from 'yaml';
import { victims } from '../e2e/victims.ts';
import { universeOf } from '../packages/cli/src/universe.ts';
import type { Run } from './kubeadm.ts';
import { Stopwatch } from './stopwatch.ts';
import { timeline } from './timeline.ts';
import { answered, controlPlaneMemory, podNetwork, serviceNetwork, workload } from './workload.ts';

const cluster = 'bench-nova';
const params = { cluster };
const image = 'hub.universe.nova.internal:5000/nova/nettest:1.0.0';
const pause = 100;

interface Shape {
  controlPlanes: number;
  workers: number;
}

/** A client with nova-ctl's credentials. Not cached, because the login may change during set-up. */
export function universe(): UniverseClient {
  const { stdin, stdout, stderr, env } = process;
  return universeOf({ stdin, stdout, stderr, env, cwd: process.cwd(), untilStopped: () => Promise.resolve() }).client;
}

/**
 * From a declaration to a Service that responds on every node. Nothing is prepared: nodes pull pod images from
 * Universe's registry during the measurement, which also includes CoreDNS and the platform's own kinds.
 */
export async function runNova(shape: Shape, settle: () => Promise<void>): Promise<Run & { nodes: string[] }> {
  const watch = new Stopwatch();
  const startedAt = Date.now();
  const { operation: { id } = { id: 0 } } = await universe().declareCluster({
    params,
    body: { documents: documentsOf(shape) },
  });
  const names = namesOf(shape);
  try {
    // Before this step, the cluster has no CA that could grant access.
    await following(id, 'approve');
    await Promise.all([declare().then(() => watch.mark('workload declared')), following(id, 'objects')]);
    await Promise.all(names.map((name) => answered(name)));
    watch.mark('Service answers');
    const operation = await ended(id);
    watch.mark('operation ended');
    for (const [name, end] of stepEnds(operation)) watch.marks.set(name, end - startedAt);
    await settle();
    const memory = await controlPlaneMemory(names[0] ?? '');
    return {
      marks: watch.marks,
      cpu: watch.cpu,
      memory,
      nodes: await Promise.all(names.map((name) => timeline(name, startedAt))),
    };
  } finally {
    await removeNova();
  }
}

/** Seconds without a successful write when the control plane with the etcd leader fails. */
export async function writeGap(): Promise<number> {
  const shape = { controlPlanes: 3, workers: 1 };
  const { operation } = await universe().declareCluster({ params, body: { documents: documentsOf(shape) } });
  try {
    await ended(operation?.id ?? 0);
    const access = await accessTo();
    const succeeded: number[] = [];
    let number = 0;
    // Each write has its own connection, with the timeout of a client that retries.
    const write = async () => {
      const api = new KubernetesApi(access);
      const timer = setTimeout(() => api.close(), 2000);
      number += 1;
      const metadata = { name: `bench-${number % 10}`, namespace: 'default' };
      await api
        .apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { number: String(number) } })
        .then(() => succeeded.push(performance.now()))
        .catch(() => undefined);
      clearTimeout(timer);
      api.close();
    };
    const writing = new Set<Promise<void>>();
    const writer = setInterval(() => {
      const one = write().finally(() => writing.delete(one));
      writing.add(one);
    }, 250);
    await sleep(5000);
    const killedAt = performance.now();
    victims.machine(await leader(namesOf(shape).slice(0, 3)));
    await sleep(30_000);
    clearInterval(writer);
    await Promise.all(writing);
    const before = succeeded.filter((at) => at <= killedAt).slice(-1);
    const times = [...before, ...succeeded.filter((at) => at > killedAt), performance.now()];
    return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at))) / 1000;
  } finally {
    await removeNova();
  }
}

export async function removeNova(): Promise<void> {
  const { clusters } = await universe().listClusters({ query: { limit: 500 } });
  if (!clusters.some(({ name }) => name === cluster)) return;
  const { operations } = await universe().listOperations({ query: { cluster, state: 'running', limit: 50 } });
  for (const { id } of operations) {
    await universe().cancelOperation({ params: { id } });
    while ((await show(id)).state === 'running') await sleep(pause);
  }
  const { clusters: left } = await universe().listClusters({ query: { limit: 500 } });
  if (left.some(({ name }) => name === cluster)) await ended((await universe().destroyCluster({ params })).id);
}

/** The end time of each kind of step; for machines, of the last one. */
function stepEnds({ steps }: Operation): Map<string, number> {
  const ends = new Map<string, number>();
  for (const { name, endedAt } of steps) {
    const kind = name.split('/')[0] ?? name;
    if (endedAt !== undefined) ends.set(kind, Math.max(ends.get(kind) ?? 0, Date.parse(endedAt)));
  }
  return ends;
}

/** Retries until the API accepts the workload. */
async function declare(): Promise<void> {
  const access = await accessTo();
  const api = new KubernetesApi(access);
  const objects = workload(image) as KubernetesObject[];
  try {
    for (let tries = 0; objects.length > 0; tries += 1) {
      const [object] = objects;
      if (object)
        await api.apply(object).then(
          () => objects.shift(),
          async (error: Error) => {
            if (tries > 3000) throw error;
            await sleep(pause);
          },
        );
    }
  } finally {
    api.close();
  }
}

async function accessTo() {
  const { server, authority, certificate, key } = await universe().kubeconfig({ params });
  const { hostname, port } = new URL(server);
  return { host: hostname, port: Number(port), ca: authority, cert: certificate, key };
}

/**
 * Waits until a step is done; fails as soon as the operation does. Polls rarely, because requests take CPU time from
 * the measurement.
 */
async function following(id: number, step: string): Promise<void> {
  for (;;) {
    const operation = await show(id);
    if (operation.state === 'failed' || operation.state === 'cancelled') throw failed(operation);
    if (operation.steps.find(({ name }) => name === step)?.state === 'done') return;
    await sleep(5 * pause);
  }
}

async function show(id: number): Promise<Operation> {
  return universe().showOperation({ params: { id } });
}

async function ended(id: number): Promise<Operation> {
  for (;;) {
    const operation = await show(id);
    if (operation.state === 'done') return operation;
    if (operation.state !== 'running') throw failed(operation);
    await sleep(pause);
  }
}

function failed({ id, state, failure }: Operation): Error {
  return new Error(`operation ${id} is ${state}: ${JSON.stringify(failure)}`);
}

async function leader(machines: readonly string[]): Promise<string> {
  const ask = ['curl', '--silent', 'http://127.0.0.1:2381/metrics'];
  for (const machine of machines) if (/^etcd_server_is_leader 1$/m.test(await execIn(machine, ask))) return machine;
  throw new Error('no etcd member is the leader');
}

function namesOf({ controlPlanes, workers }: Shape): string[] {
  const named = (group: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${cluster}-${group}-${index + 1}`);
  return [...named('main', controlPlanes), ...named('work', workers)];
}

function documentsOf({ controlPlanes, workers }: Shape): string {
  const size = { cpu: 2, memory: '2Gi' };
  return stringify({
    apiVersion: 'config.nova-platform.io/v1alpha4',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    spec: {
      provider: { type: 'local', machineKind: 'container' },
      nodeGroups: [
        { name: 'main', roles: ['control-plane'], count: controlPlanes, ...size },
        { name: 'work', roles: ['infra', 'ingress', 'worker'], count: workers, ...size },
      ],
      clusterConfiguration: {
        clusterName: cluster,
        dnsBaseDomain: 'bench.nova.local',
        // kubeadm has no delivery either.
        delivery: 'none',
        nodeNetwork: '10.61.0.0/24',
        podNetwork,
        serviceNetwork,
      },
    },
  });
}
