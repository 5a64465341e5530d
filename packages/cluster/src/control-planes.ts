import { ProblemError, problem } from '@nova-platform/api';
import { type EtcdNode, joinMembers } from '@nova-platform/kubernetes';
import { controlPlanes } from '@nova-platform/plan';
import { waitUntil } from '@nova-platform/process';
import type { ClusterTools, Log, Planned } from './operation.ts';
import { timeoutsOf } from './timeouts.ts';

type Tools = Planned & Pick<ClusterTools, 'connections' | 'infra'> & { log: Log; signal: AbortSignal };

const pause = 200;

/** Waits until every control plane is a healthy voting member of etcd. They join one after the other. */
export async function joinEtcd({ plan, infra, connections, log, signal }: Tools): Promise<void> {
  const nodes = controlPlanes(plan.nodes);
  const { ready: timeout } = await timeoutsOf({ plan, infra });
  const late = await connections.withEtcd(plan, nodes, (etcd) => joinMembers(etcd, nodes, { log, signal, timeout }));
  if (late) throw new ProblemError(problem('NOVA8348', { node: late.name, reason: late.reason }));
}

/** Waits until the API server of a control plane is ready. */
export async function waitUntilServing(
  { plan, infra, connections, signal }: Omit<Tools, 'log'>,
  node: EtcdNode,
): Promise<void> {
  const { ready } = await timeoutsOf({ plan, infra });
  await waitUntil(async () => ((await connections.isServing(plan, node)) ? undefined : node.name), {
    every: pause,
    within: ready,
    expired: () => new ProblemError(problem('NOVA8349', { node: node.name })),
    signal,
  });
}
