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

/**
 * The taints that the platform applied last. Server-side apply has a single owner for the whole list, so this
 * annotation records ours.
 */
const appliedTaints = 'nova-platform.io/applied-taints';
const roleTaint = 'node-role.kubernetes.io/';
const maxTries = 10;

/**
 * Applies the planned labels and taints to a node. Those that left the plan are removed; those that users and
 * controllers set stay. Nodes cannot set their own role labels: a compromised node could attract pods that are not
 * meant for it.
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
      // An unchanged taint keeps its `timeAdded`, which decides when it evicts pods.
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
      // Kubelet and controllers update the same object.
      if (!(error instanceof KubernetesError) || error.status !== 409 || tries === maxTries) throw error;
    }
  }
}

/** Returns a predicate for the taints that the platform set. */
function ours({ metadata: { annotations, managedFields = [] } }: Node): (taint: Taint) => boolean {
  const record = annotations?.[appliedTaints];
  if (record !== undefined) {
    const applied = JSON.parse(record) as Taint[];
    return (taint) => applied.some((each) => isSame(each, taint));
  }
  const wasApplied = managedFields.some(({ manager, operation }) => manager === fieldManager && operation === 'Apply');
  // The kubelet of a node that has just joined set its taints from the plan at that time. Taints of others have a
  // Kubernetes domain.
  return ({ key }) => key.startsWith(roleTaint) || (!wasApplied && !/^[^/]*kubernetes\.io\//.test(key));
}

function isSame(one: Taint, other: Taint): boolean {
  return one.key === other.key && one.effect === other.effect;
}
