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

/** The longest waits for the machines of a cluster: emulated ones need longer. */
export async function timeoutsOf({ plan, infra }: Waiting): Promise<typeof usual> {
  const hasVms = plan.nodes.some((node) => machineKindOf(node) === 'vm');
  if (!hasVms || (await infra.of(plan).hasKvm())) return usual;
  const slower = Object.entries(usual).map(([what, time]) => [what, time * emulationSlowdown]);
  return Object.fromEntries(slower) as typeof usual;
}
