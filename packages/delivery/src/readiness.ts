import { type KubernetesApi, type KubernetesObject, type Pod, unreadyPods } from '@nova-platform/kubernetes';
import { fluxControllers } from './flux.ts';
import { moduleLabel, namespace, sourceName } from './names.ts';

interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime?: string;
}

/** The fields of a Flux object that describe its readiness. */
interface FluxObject {
  metadata: { name: string; generation: number; creationTimestamp?: string; deletionTimestamp?: string };
  status?: {
    observedGeneration?: number;
    conditions?: Condition[];
    lastAppliedRevision?: string;
    lastAttemptedRevision?: string;
    artifact?: { revision: string };
    /** Applied revisions with their times, the newest first. */
    history?: { firstReconciled: string }[];
  };
}

export interface ModuleState {
  name: string;
  state: 'ready' | 'waiting' | 'failed' | 'leaving';
  /** What the module waits for, or why it failed. */
  reason?: string;
  /** The time since which Flux reconciles the module, or waits for the modules that it needs. */
  reconcilingSince?: Date;
  /** The revision that Flux has applied: `v0.1.0@sha1:…`. */
  revision?: string;
  /** Drift that Flux has corrected; the last time within about an hour. */
  repaired?: { at: Date; objects: string[] };
}

interface EventList {
  items: { involvedObject: { name: string }; message: string; lastTimestamp: string | null }[];
}

const dependencyNotReady = 'DependencyNotReady';
const kustomizations = `/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/${namespace}/kustomizations`;
const source = `/apis/source.toolkit.fluxcd.io/v1/namespaces/${namespace}/gitrepositories/${sourceName}`;
const events = `/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.kind%3DKustomization,reason%3DProgressing`;
const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;

/** The controllers of Flux that are not ready yet. */
export async function missingControllers(api: KubernetesApi): Promise<string[]> {
  const { items } = await api.get<{
    items: {
      metadata: { name: string; generation: number };
      status?: { observedGeneration?: number; updatedReplicas?: number; availableReplicas?: number };
    }[];
  }>(deployments);
  return fluxControllers.filter((name) => {
    const found = items.find(({ metadata }) => metadata.name === name);
    const { observedGeneration, updatedReplicas = 0, availableReplicas = 0 } = found?.status ?? {};
    return observedGeneration !== found?.metadata.generation || updatedReplicas < 1 || availableReplicas < 1;
  });
}

/** Why Flux has not fetched that revision yet; undefined once it has. */
export async function sourceProblem(api: KubernetesApi, revision: string): Promise<string | undefined> {
  const { metadata, status = {} } = await api.get<FluxObject>(source);
  const ready = readyOf(status.conditions);
  const isCurrent = status.observedGeneration === metadata.generation;
  if (isCurrent && ready?.status === 'True' && status.artifact?.revision === revision) return undefined;
  return ready?.message ?? 'Flux has not fetched it yet';
}

/** The states of modules as Flux reports them. `revision` is the one that they should have. */
export async function moduleStates(api: KubernetesApi, revision: string): Promise<ModuleState[]> {
  const [{ items }, said] = await Promise.all([
    api.get<{ items: FluxObject[] }>(`${kustomizations}?labelSelector=${moduleLabel}`),
    api.get<EventList>(events),
  ]);
  return Promise.all(items.map(async (item) => ({ ...(await stateOf(api, item, revision)), ...repairOf(item, said) })));
}

/** Objects that Flux changed after the module was reconciled: that is drift. */
export function repairOf({ metadata, status }: FluxObject, { items }: EventList): Pick<ModuleState, 'repaired'> {
  const settled = Date.parse(status?.history?.[0]?.firstReconciled ?? '');
  const repairs = items
    .filter(({ involvedObject }) => involvedObject.name === metadata.name)
    .map(({ message, lastTimestamp }) => ({
      at: new Date(lastTimestamp ?? 0),
      objects: message.split('\n').flatMap((line) => /^(\S+\/\S+) (?:created|configured)$/.exec(line)?.[1] ?? []),
    }))
    .filter(({ at, objects }) => objects.length > 0 && at.getTime() > settled)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime());
  const [last] = repairs;
  return last ? { repaired: last } : {};
}

async function stateOf(
  api: KubernetesApi,
  { metadata, status = {} }: FluxObject,
  revision: string,
): Promise<ModuleState> {
  const { name, generation, creationTimestamp, deletionTimestamp } = metadata;
  const { observedGeneration, conditions, lastAppliedRevision } = status;
  const applied = lastAppliedRevision === undefined ? {} : { revision: lastAppliedRevision };
  if (deletionTimestamp !== undefined) return { name, state: 'leaving', ...applied };
  const ready = readyOf(conditions);
  const isCurrent = observedGeneration === generation && lastAppliedRevision === revision;
  if (isCurrent && ready?.status === 'True') return { name, state: 'ready', ...applied };
  const isWorking = conditions?.some((each) => each.type === 'Reconciling' && each.status === 'True') ?? true;
  const isBlocked = ready?.reason === dependencyNotReady || ready?.reason === 'ArtifactFailed';
  return {
    name,
    state: ready?.status === 'False' && !isWorking && !isBlocked ? 'failed' : 'waiting',
    reason: await reasonOf(api, name, ready),
    ...reconcilingSince(ready, creationTimestamp),
    ...applied,
  };
}

/** A new Kustomization has no condition yet. While Flux reconciles a module, those that need it are not reconciled. */
export function reconcilingSince(
  ready: Pick<Condition, 'status' | 'reason' | 'lastTransitionTime'> | undefined,
  creationTimestamp: string | undefined,
): Pick<ModuleState, 'reconcilingSince'> {
  const since = ready?.lastTransitionTime ?? creationTimestamp;
  const isReconciling = ready === undefined || ready.status === 'Unknown' || ready.reason === dependencyNotReady;
  return isReconciling && since !== undefined ? { reconcilingSince: new Date(since) } : {};
}

/** The reason of an unready pod is more specific than that of its Kustomization. */
async function reasonOf(api: KubernetesApi, module: string, ready: Condition | undefined): Promise<string> {
  const { items } = await api.get<{ items: Pod[] }>(`/api/v1/pods?labelSelector=${moduleLabel}%3D${module}`);
  const [first, ...more] = unreadyPods(items).map(
    ({ namespace: place, name, reason }) => `${place}/${name}: ${reason}`,
  );
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  if (first !== undefined) return `${first}${others}`;
  return ready === undefined || ready.status === 'True' ? 'Flux has not reconciled it yet' : ready.message;
}

function readyOf(conditions: readonly Condition[] = []): Condition | undefined {
  return conditions.find(({ type }) => type === 'Ready');
}

/** Names of the modules that Flux delivers. */
export async function deliveredModules(api: KubernetesApi): Promise<string[]> {
  const { items } = await api.get<{ items: FluxObject[] }>(`${kustomizations}?labelSelector=${moduleLabel}`);
  return items.map(({ metadata }) => metadata.name);
}

/** The object to delete to remove a module; Flux then deletes the module's objects. */
export function kustomizationOf(module: string): KubernetesObject {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: module, namespace },
  };
}
