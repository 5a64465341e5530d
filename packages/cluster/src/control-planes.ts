import { ProblemError, problem } from '@nova-platform/api';
import { type EtcdNode, joinMembers } from '@nova-platform/kubernetes';
import { controlPlanes } from '@nova-platform/plan';
import { waitUntil } from '@nova-platform/process';
import type { ClusterTools, Log, Planned } from './operation.ts';

type Tools = Planned & Pick<ClusterTools, 'connections'> & { log: Log; signal: AbortSignal };

const pause = 200;
export const readyTimeout = 5 * 60_000;

/** Waits until every control plane is a healthy voting member of etcd. They join one after the other. */
export async function joinEtcd({ plan, connections, log, signal }: Tools): Promise<void> {
  const nodes = controlPlanes(plan.nodes);
  const late = await connections.withEtcd(plan, nodes, (etcd) =>
    joinMembers(etcd, nodes, { log, signal, timeout: readyTimeout }),
  );
  if (late) throw new ProblemError(problem('NOVA8348', { node: late.name, reason: late.reason }));
}

/** Waits until the API server of a control plane is ready. */
export async function waitUntilServing(
  { plan, connections, signal }: Omit<Tools, 'log'>,
  node: EtcdNode,
): Promise<void> {
  await waitUntil(async () => ((await connections.isServing(plan, node)) ? undefined : node.name), {
    every: pause,
    within: readyTimeout,
    expired: () => new ProblemError(problem('NOVA8349', { node: node.name })),
    signal,
  });
}
