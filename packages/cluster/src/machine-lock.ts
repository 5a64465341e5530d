import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { lockHolder } from '@nova-platform/kubernetes';
import type { ClusterPlan } from '@nova-platform/plan';
import type { ClusterConnections } from './connections.ts';

/** An API that does not respond within this time is unreachable. */
const requestTimeout = 2000;

/** Refuses to change machines that another holder has locked. Best effort: the API of the cluster may be unreachable. */
export async function assertUnlocked(
  connections: Pick<ClusterConnections, 'withApi'>,
  plan: ClusterPlan,
): Promise<void> {
  const late = sleep(requestTimeout, undefined, { ref: false });
  const holder = await Promise.race([connections.withApi(plan, lockHolder), late]).catch(() => undefined);
  if (!holder) return;
  const { who, operation, created: since } = holder;
  throw new ProblemError(problem('NOVA8373', { cluster: plan.cluster.name, who, operation, since }));
}
