import type { KubernetesApi } from './kubernetes-api.ts';
import { ignoreNotFound } from './kubernetes-api.ts';
import { type Pod, unreadyPods } from './pods.ts';

type Quantities = Partial<Record<'cpu' | 'memory' | 'pods', string>>;

interface Amounts {
  /** In processors. */
  cpu: number;
  memoryBytes: number;
}

/** A node as its cluster reports it. */
export interface KubernetesNode {
  /** `isGood`: ready, or without pressure. */
  conditions: { type: string; isMet: boolean; isGood: boolean; message: string }[];
  isCordoned: boolean;
  allocatable: Amounts & { pods: number };
  /** The sum of the requests of its pods. */
  requested: Amounts;
  /** Measured by the metrics server. */
  used?: Amounts;
  pods: PodOnNode[];
}

interface PodOnNode {
  namespace: string;
  name: string;
  phase: string;
  isReady: boolean;
  restarts: number;
  startedAt?: string;
  reason?: string;
}

export interface NodeObject {
  spec?: { unschedulable?: boolean };
  status: {
    conditions?: { type: string; status: string; message?: string }[];
    allocatable?: Quantities;
  };
}

interface Container {
  resources?: { requests?: Quantities };
}

type RunningPod = Omit<Pod, 'spec' | 'status'> & {
  spec: Pod['spec'] & { containers?: Container[]; initContainers?: Container[] };
  status: Omit<Pod['status'], 'containerStatuses'> & {
    startTime?: string;
    containerStatuses?: (NonNullable<Pod['status']['containerStatuses']>[number] & { restartCount?: number })[];
  };
};

const mostPods = 500;

/** Undefined if the node has not joined the cluster. */
export async function kubernetesNode(api: KubernetesApi, name: string): Promise<KubernetesNode | undefined> {
  const path = encodeURIComponent(name);
  const [node, pods, metrics] = await Promise.all([
    api.get<NodeObject>(`/api/v1/nodes/${path}`).catch(ignoreNotFound),
    api.get<{ items: RunningPod[] }>(`/api/v1/pods?fieldSelector=spec.nodeName%3D${path}&limit=${mostPods}`),
    // Without the metrics server, or while it does not respond, there is no usage.
    api.get<{ usage: Quantities }>(`/apis/metrics.k8s.io/v1beta1/nodes/${path}`).catch(() => undefined),
  ]);
  return node && nodeView(node, pods.items, metrics?.usage);
}

export function nodeView(node: NodeObject, pods: readonly RunningPod[], usage?: Quantities): KubernetesNode {
  const { conditions = [], allocatable = {} } = node.status;
  const active = pods.filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed');
  const requests = active.map(requestsOf);
  return {
    conditions: conditions
      .map(({ type, status, message = '' }) => ({
        type,
        isMet: status === 'True',
        isGood: type === 'Ready' ? status === 'True' : status === 'False',
        message,
      }))
      .toSorted((one, other) => Number(other.type === 'Ready') - Number(one.type === 'Ready')),
    isCordoned: node.spec?.unschedulable ?? false,
    allocatable: { ...amountsOf(allocatable), pods: amountOf(allocatable.pods) },
    requested: {
      cpu: requests.reduce((sum, { cpu }) => sum + cpu, 0),
      memoryBytes: requests.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
    },
    ...(usage && { used: amountsOf(usage) }),
    pods: pods.map(podView).toSorted((one, other) => textOf(one).localeCompare(textOf(other))),
  };
}

/** Unready pods come first. */
const textOf = ({ isReady, phase, namespace, name }: PodOnNode) =>
  `${isReady || phase === 'Succeeded' ? 1 : 0} ${namespace} ${name}`;

function podView(pod: RunningPod): PodOnNode {
  const { namespace, name } = pod.metadata;
  const { phase, startTime, containerStatuses = [], conditions = [] } = pod.status;
  const [unready] = unreadyPods([pod]);
  return {
    namespace,
    name,
    phase,
    isReady: conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
    restarts: containerStatuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
    ...(startTime !== undefined && { startedAt: new Date(startTime).toISOString() }),
    ...(unready && { reason: unready.reason }),
  };
}

/** As the scheduler counts: init containers run before the others, one at a time. */
function requestsOf({ spec: { containers = [], initContainers = [] } }: RunningPod): Amounts {
  const of = (all: readonly Container[]) => all.map(({ resources }) => amountsOf(resources?.requests ?? {}));
  const [main, init] = [of(containers), of(initContainers)];
  const most = (field: keyof Amounts) =>
    Math.max(
      main.reduce((sum, each) => sum + each[field], 0),
      ...init.map((each) => each[field]),
    );
  return { cpu: most('cpu'), memoryBytes: most('memoryBytes') };
}

function amountsOf({ cpu, memory }: Quantities): Amounts {
  return { cpu: amountOf(cpu), memoryBytes: amountOf(memory) };
}

const factors: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A quantity of the Kubernetes API as a number; fractions are approximate. */
function amountOf(quantity = '0'): number {
  const [, amount = '0', suffix = ''] = /^([\d.eE+]+?)([numkMGTPE]i?)?$/.exec(quantity) ?? [];
  return Number((Number(amount) * (factors[suffix] ?? 1)).toPrecision(12));
}
