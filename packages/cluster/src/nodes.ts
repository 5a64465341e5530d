import { type EventList, objectOf, timeOf } from './events.ts';
import type { KubernetesView } from './health-observations.ts';
import type { KubernetesApi } from './kubernetes-api.ts';

interface Condition {
  type: string;
  status: string;
  message: string;
  lastHeartbeatTime?: string;
}

interface NodeList {
  items: {
    metadata: { name: string };
    status: { conditions?: Condition[]; nodeInfo?: { kubeletVersion: string } };
  }[];
}

interface PodList {
  items: {
    metadata: { name: string; namespace: string; deletionTimestamp?: string };
    spec: { nodeName?: string };
    status: {
      phase: string;
      conditions?: Condition[];
      containerStatuses?: { state: { waiting?: { reason: string; message?: string } } }[];
    };
  }[];
}

const recent = 10 * 60_000;
/** Every kubelet of ours says the first two when it starts; the others only say that a node is not ready. */
const noise = new Set(['CgroupV1', 'InvalidDiskCapacity', 'NodeNotReady', 'TaintManagerEviction']);
/** Where the platform itself runs. */
const systemNamespaces = ['kube-system', 'nova-gitops', 'nova-dns', 'nova-ingress', 'nova-storage'];

interface LeaseList {
  items: { metadata: { name: string }; spec: { renewTime?: string } }[];
}

/** Nodes as their cluster sees them: why each is not ready, or nothing where it is. */
export async function readiness(api: KubernetesApi): Promise<Map<string, string | undefined>> {
  const { nodes } = nodesOf(await api.get<NodeList>('/api/v1/nodes'));
  return new Map(nodes.map(({ name, ready, reason }) => [name, ready === 'True' ? undefined : reason]));
}

/** What a cluster says about itself. */
export async function viewOf(api: KubernetesApi, now: Date): Promise<KubernetesView> {
  const [nodes, pods, warnings, leases] = await Promise.all([
    api.get<NodeList>('/api/v1/nodes').then(nodesOf),
    Promise.all(systemNamespaces.map((each) => api.get<PodList>(`/api/v1/namespaces/${each}/pods?limit=500`))),
    api
      .get<EventList>('/api/v1/events?fieldSelector=type%3DWarning&limit=500')
      .then((events) => recentWarnings(events, now)),
    leaders(api),
  ]);
  const all = { items: pods.flatMap(({ items }) => items) };
  const unready = unreadyPods(all);
  // A probe that failed before a pod was ready says nothing about it now.
  const isOver = ({ object, reason }: { object: string; reason: string }) =>
    reason === 'Unhealthy' &&
    all.items.some(({ metadata: { namespace, name } }) => object === `Pod/${namespace}/${name}`) &&
    !unready.some(({ namespace, name }) => object === `Pod/${namespace}/${name}`);
  return {
    ...nodes,
    pods: unready,
    warnings: warnings.filter((each) => !isOver(each)),
    leaders: leases.map(({ service, renewTime }) => ({
      service,
      ...(renewTime !== undefined && { renewedAt: new Date(renewTime) }),
    })),
  };
}

export function nodesOf({ items }: NodeList): Pick<KubernetesView, 'nodes'> {
  return {
    nodes: items.map(({ metadata, status: { conditions = [], nodeInfo } }) => {
      const ready = conditions.find(({ type }) => type === 'Ready');
      return {
        name: metadata.name,
        version: nodeInfo?.kubeletVersion ?? '',
        ready: (ready?.status ?? 'Unknown') as 'True' | 'False' | 'Unknown',
        reason: ready?.message ?? 'it has not said anything yet',
        ...(ready?.lastHeartbeatTime !== undefined && { heardAt: new Date(ready.lastHeartbeatTime) }),
        pressures: conditions
          .filter(({ type, status }) => type.endsWith('Pressure') && status === 'True')
          .map(({ type, message }) => ({ type, message })),
      };
    }),
  };
}

/** Those that are about to go are not missed. */
export function unreadyPods({ items }: PodList): KubernetesView['pods'] {
  return items
    .filter(({ metadata, status: { phase, conditions = [] } }) => {
      const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
      return !isReady && phase !== 'Succeeded' && metadata.deletionTimestamp === undefined;
    })
    .map(({ metadata: { namespace, name }, spec, status: { phase, conditions = [], containerStatuses = [] } }) => {
      const waiting = containerStatuses.find(({ state }) => state.waiting)?.state.waiting;
      const unmet = conditions.find(({ status, message }) => status === 'False' && message);
      return {
        namespace,
        name,
        ...(spec.nodeName !== undefined && { node: spec.nodeName }),
        reason: waiting ? [waiting.reason, waiting.message].filter(Boolean).join(': ') : (unmet?.message ?? phase),
      };
    });
}

/** The newest first, of each kind about each object one. */
export function recentWarnings({ items }: EventList, now: Date): KubernetesView['warnings'] {
  const warnings = items
    .map((event) => ({
      at: timeOf(event).getTime(),
      object: objectOf(event),
      reason: event.reason ?? '',
      message: event.message ?? '',
    }))
    .filter(({ at, reason }) => now.getTime() - at < recent && !noise.has(reason))
    .toSorted((one, other) => other.at - one.at);
  return [...Map.groupBy(warnings, ({ object, reason }) => `${object} ${reason}`).values()].flatMap(([newest]) =>
    newest ? [{ object: newest.object, reason: newest.reason, message: newest.message }] : [],
  );
}

/** When nodes were heard of last, in words of the cluster's own clocks. */
export function heartbeats(api: KubernetesApi): Promise<Map<string, string | undefined>> {
  return renewTimes(api, 'kube-node-lease');
}

/** Services of which one among all control planes works, and when it was heard of last. */
export async function leaders(
  api: KubernetesApi,
): Promise<{ service: 'kube-controller-manager' | 'kube-scheduler'; renewTime?: string | undefined }[]> {
  const times = await renewTimes(api, 'kube-system');
  return (['kube-controller-manager', 'kube-scheduler'] as const).map((service) => ({
    service,
    renewTime: times.get(service),
  }));
}

async function renewTimes(api: KubernetesApi, namespace: string): Promise<Map<string, string | undefined>> {
  const { items } = await api.get<LeaseList>(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`);
  return new Map(items.map(({ metadata, spec }) => [metadata.name, spec.renewTime]));
}
