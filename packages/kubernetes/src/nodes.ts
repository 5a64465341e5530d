import { systemNamespaces } from '@nova-platform/api';
import type { KubernetesView } from './health-observations.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { type Pod, unreadyPods } from './pods.ts';
import { currentWarnings } from './warnings.ts';

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

interface IngressList {
  items: { spec: { rules?: { host?: string }[] } }[];
}

interface LeaseList {
  items: { metadata: { name: string }; spec: { renewTime?: string } }[];
}

/** The nodes of a cluster, each with the reason why it is not ready; undefined if it is ready. */
export async function readiness(api: KubernetesApi): Promise<Map<string, string | undefined>> {
  const { nodes } = nodesOf(await api.get<NodeList>('/api/v1/nodes'));
  return new Map(nodes.map(({ name, ready, reason }) => [name, ready === 'True' ? undefined : reason]));
}

/** The state of a cluster from its own API. */
export async function viewOf(api: KubernetesApi, now: Date): Promise<KubernetesView> {
  const [nodes, pods, warnings, ingresses, leases, beats] = await Promise.all([
    api.get<NodeList>('/api/v1/nodes').then(nodesOf),
    Promise.all(systemNamespaces.map((each) => api.get<{ items: Pod[] }>(`/api/v1/namespaces/${each}/pods?limit=500`))),
    currentWarnings(api, now),
    api.get<IngressList>('/apis/networking.k8s.io/v1/ingresses?limit=500'),
    leaders(api),
    heartbeats(api),
  ]);
  return {
    ...nodes,
    pods: unreadyPods(pods.flatMap(({ items }) => items)),
    warnings,
    names: publishedNames(ingresses),
    leaders: leases.map(({ service, renewTime }) => ({
      service,
      ...(renewTime !== undefined && { renewedAt: new Date(renewTime) }),
    })),
    heartbeats: [...beats].flatMap(([node, renewTime]) =>
      renewTime === undefined ? [] : [{ node, at: new Date(renewTime) }],
    ),
  };
}

/** Host names of ingresses; wildcards are left out. */
export function publishedNames({ items }: IngressList): string[] {
  const hosts = items.flatMap(({ spec: { rules = [] } }) => rules.flatMap(({ host }) => host ?? []));
  return [...new Set(hosts)].filter((host) => !host.startsWith('*')).toSorted();
}

export function nodesOf({ items }: NodeList): Pick<KubernetesView, 'nodes'> {
  return {
    nodes: items.map(({ metadata, status: { conditions = [], nodeInfo } }) => {
      const ready = conditions.find(({ type }) => type === 'Ready');
      return {
        name: metadata.name,
        version: nodeInfo?.kubeletVersion ?? '',
        ready: (ready?.status ?? 'Unknown') as 'True' | 'False' | 'Unknown',
        reason: ready?.message ?? 'it has not reported yet',
        ...(ready?.lastHeartbeatTime !== undefined && { lastHeartbeatAt: new Date(ready.lastHeartbeatTime) }),
        pressures: conditions
          .filter(({ type, status }) => type.endsWith('Pressure') && status === 'True')
          .map(({ type, message }) => ({ type, message })),
      };
    }),
  };
}

/** The last heartbeat of each node, by the cluster's own clocks. */
export function heartbeats(api: KubernetesApi): Promise<Map<string, string | undefined>> {
  return renewTimes(api, 'kube-node-lease');
}

/** The last lease renewal of each service that has one leader among the control plane nodes. */
export async function leaders(
  api: KubernetesApi,
): Promise<{ service: 'kube-controller-manager' | 'kube-scheduler'; renewTime?: string | undefined }[]> {
  const times = await renewTimes(api, 'kube-system');
  return (['kube-controller-manager', 'kube-scheduler'] as const).map((service) => ({
    service,
    renewTime: times.get(service),
  }));
}

/** Those whose lease was not renewed since `before`. After a stop, Kubernetes trusts earlier leases for up to a minute. */
export function silentSince<Name extends string>(
  before: ReadonlyMap<string, string | undefined>,
  now: ReadonlyMap<string, string | undefined>,
  names: Iterable<Name>,
): Name[] {
  return [...names].filter((name) => now.get(name) === before.get(name));
}

async function renewTimes(api: KubernetesApi, namespace: string): Promise<Map<string, string | undefined>> {
  const { items } = await api.get<LeaseList>(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`);
  return new Map(items.map(({ metadata, spec }) => [metadata.name, spec.renewTime]));
}
