import type { Providers } from '@nova-platform/infra';
import { type ClusterPlan, emulationSlowdown, machineKindOf } from '@nova-platform/plan';

export interface Waiting {
  plan: ClusterPlan;
  infra: Providers;
}

const minute = 60_000;

/** The longest waits of steps for machines at the speed of their host, in milliseconds. */
const usual = {
  /** An agent run. */
  configured: 5 * minute,
  /** An API server, etcd or a node. */
  ready: 5 * minute,
  /** The pods of a node to leave it. */
  drained: 2 * minute,
  /** Flux and the modules. */
  delivered: 10 * minute,
};

/** How many times longer the machines of a cluster can take than those at the speed of their host. */
export async function slowdownOf({ plan, infra }: Waiting): Promise<number> {
  const hasVms = plan.nodes.some((node) => machineKindOf(node) === 'vm');
  return hasVms && !(await infra.of(plan).hasKvm()) ? emulationSlowdown : 1;
}

/** The longest waits for the machines of a cluster. */
export async function timeoutsOf(waiting: Waiting): Promise<typeof usual> {
  const slowdown = await slowdownOf(waiting);
  const scaled = Object.entries(usual).map(([what, time]) => [what, time * slowdown]);
  return Object.fromEntries(scaled) as typeof usual;
}
