import { controlPlanes } from '@nova-platform/plan';
import type { RemovedNode } from './approved.ts';
import type { ClusterTools, Planned } from './operation.ts';

/**
 * Points the API's load balancer at all control planes that serve, except one; at all planned ones while none serves.
 * Control planes that will be removed serve until then.
 */
export async function balance(
  { plan, infra, connections }: Planned & Pick<ClusterTools, 'infra' | 'connections'>,
  removed: readonly RemovedNode[] = [],
  except?: string,
): Promise<void> {
  const { networks, machines } = infra.of(plan);
  if (!networks || plan.api.balancing.by !== 'sdn') return;
  const observed = await machines.observe(plan.cluster.name);
  const running = new Set(observed.filter(({ state }) => state === 'running').map(({ name }) => name));
  const planes = controlPlanes(plan.nodes);
  const candidates = [...planes, ...removed.filter(({ isControlPlane }) => isControlPlane)].filter(
    ({ name }) => name !== except && running.has(name),
  );
  const isServing = await Promise.all(candidates.map((node) => connections.isServing(plan, node)));
  const serving = candidates.filter((_, index) => isServing[index]);
  await networks.balance(plan, serving.length > 0 ? serving : planes);
}
