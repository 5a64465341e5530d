import { stillMissing } from '@nova-platform/process';
import { ignoreNotFound, type KubernetesApi, KubernetesError } from './kubernetes-api.ts';

interface Pod {
  metadata: {
    name: string;
    namespace: string;
    annotations?: Record<string, string>;
    ownerReferences?: { kind: string }[];
    deletionTimestamp?: string;
  };
  status?: { phase?: string };
}

const pause = 1000;

/** The annotation of nodes that an operation cordoned. Only these are uncordoned, never those that a user cordoned. */
const leaving = 'nova-platform.io/leaving';

interface Node {
  metadata: { annotations?: Record<string, string> };
  spec: { unschedulable?: boolean };
}

/** Cordons a node that will be drained. */
export async function cordon(api: KubernetesApi, name: string): Promise<void> {
  const node = await find(api, name);
  if (!node || node.spec.unschedulable === true) return;
  await change(api, { name, annotations: { [leaving]: 'true' } }, true);
}

/** Uncordons a node that `cordon` has cordoned. */
export async function uncordon(api: KubernetesApi, name: string): Promise<void> {
  const node = await find(api, name);
  if (node?.metadata.annotations?.[leaving] === undefined) return;
  await change(api, { name, annotations: { [leaving]: null } }, false);
}

async function find(api: KubernetesApi, name: string): Promise<Node | undefined> {
  return api.get<Node>(`/api/v1/nodes/${name}`).catch(ignoreNotFound);
}

async function change(
  api: KubernetesApi,
  metadata: { name: string; annotations: object },
  unschedulable: boolean,
): Promise<void> {
  await api.merge({ apiVersion: 'v1', kind: 'Node', metadata, spec: { unschedulable } }).catch(ignoreNotFound);
}

/** Evicts a node's pods as fast as their disruption budgets allow. Returns the pods that remain after the timeout. */
export async function drain(
  api: KubernetesApi,
  node: string,
  { signal, timeout }: { signal: AbortSignal; timeout: number },
): Promise<string[]> {
  const path = `/api/v1/pods?fieldSelector=${encodeURIComponent(`spec.nodeName=${node}`)}`;
  const evictAll = async () => {
    const { items } = await api.get<{ items: Pod[] }>(path);
    const pods = items.filter(mustEvict);
    for (const { metadata } of pods) if (metadata.deletionTimestamp === undefined) await evict(api, metadata);
    return pods.length === 0 ? undefined : pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  };
  return (await stillMissing(evictAll, { every: pause, within: timeout, signal })) ?? [];
}

/** Static pods, finished pods and those of DaemonSets, which would return at once, are not evicted. */
export function mustEvict({ metadata, status }: Pod): boolean {
  const isMirror = metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
  const isOfDaemonSet = metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') === true;
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return !isMirror && !isOfDaemonSet && !hasEnded;
}

async function evict(api: KubernetesApi, { name, namespace }: Pod['metadata']): Promise<void> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  await api.create(`/api/v1/namespaces/${namespace}/pods/${name}/eviction`, eviction).catch((error: unknown) => {
    // The disruption budget does not allow it yet.
    if (!(error instanceof KubernetesError) || error.status !== 429) ignoreNotFound(error);
  });
}
