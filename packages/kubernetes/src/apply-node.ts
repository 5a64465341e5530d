import { isDeepStrictEqual } from 'node:util';
import type { PlannedNode } from '@nova-platform/plan';
import { fieldManager, type KubernetesApi, KubernetesError } from './kubernetes-api.ts';

interface Taint {
  key: string;
  value?: string | undefined;
  effect: string;
}

interface Node {
  metadata: {
    resourceVersion: string;
    annotations?: Record<string, string>;
    managedFields?: { manager: string; operation: string }[];
  };
  spec: { taints?: Taint[] };
}

/** The taints that were applied last. Kubernetes keeps one owner for the whole list, so their owners are kept here. */
const appliedTaints = 'nova-platform.io/applied-taints';
const roleTaint = 'node-role.kubernetes.io/';
const mostTries = 10;

/**
 * Makes labels and taints of a node those that are planned. What left the plan leaves the node; what users and
 * controllers set stays. A node cannot set its own roles: it could attract pods that are not meant for it.
 */
export async function applyNode(api: KubernetesApi, { name, labels, taints }: PlannedNode): Promise<void> {
  await applyTaints(api, name, taints);
  await api.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
}

async function applyTaints(api: KubernetesApi, name: string, planned: readonly Taint[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const node = await api.get<Node>(`/api/v1/nodes/${name}`);
    const { resourceVersion, annotations } = node.metadata;
    const present = node.spec.taints ?? [];
    const isOurs = ours(node);
    const taints = [
      ...present.filter((taint) => !isOurs(taint) && !planned.some((each) => isSame(each, taint))),
      // A taint that stays keeps the time since when it evicts pods.
      ...planned.map((taint) => present.find((each) => isSame(each, taint) && each.value === taint.value) ?? taint),
    ];
    const record = JSON.stringify(planned);
    if (isDeepStrictEqual(taints, present) && annotations?.[appliedTaints] === record) return;
    try {
      return await api.merge({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, resourceVersion, annotations: { [appliedTaints]: record } },
        spec: { taints },
      });
    } catch (error) {
      // Kubelet and controllers write the same object.
      if (!(error instanceof KubernetesError) || error.status !== 409 || tries === mostTries) throw error;
    }
  }
}

/** Which taints of a node the platform set. */
function ours({ metadata: { annotations, managedFields = [] } }: Node): (taint: Taint) => boolean {
  const record = annotations?.[appliedTaints];
  if (record !== undefined) {
    const applied = JSON.parse(record) as Taint[];
    return (taint) => applied.some((each) => isSame(each, taint));
  }
  const wasApplied = managedFields.some(({ manager, operation }) => manager === fieldManager && operation === 'Apply');
  // Kubelet set those of a node that has just joined, from the plan of that moment. Others have the domain of Kubernetes.
  return ({ key }) => key.startsWith(roleTaint) || (!wasApplied && !/^[^/]*kubernetes\.io\//.test(key));
}

function isSame(one: Taint, other: Taint): boolean {
  return one.key === other.key && one.effect === other.effect;
}
