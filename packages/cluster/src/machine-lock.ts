import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem, type TerraformLock } from '@nova-platform/api';
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
  assertNoHolder(plan, await Promise.race([connections.withApi(plan, lockHolder), late]).catch(() => undefined));
}

export function assertNoHolder({ cluster }: ClusterPlan, holder: TerraformLock['spec'] | undefined): void {
  if (!holder) return;
  const { who, operation, created: since } = holder;
  throw new ProblemError(problem('NOVA8373', { cluster: cluster.name, who, operation, since }));
}
