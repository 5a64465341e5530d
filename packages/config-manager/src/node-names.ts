import { ProblemError, problem } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';
import type { Database } from './store/database.ts';

/** Throws if a node belongs to another cluster. */
export async function assertNames(db: Database, { cluster, nodes }: ClusterPlan): Promise<void> {
  const taken = await db
    .selectFrom('nodes')
    .select(['name', 'cluster'])
    .where('name', 'in', ['', ...nodes.map(({ name }) => name)])
    .where('cluster', 'is not', null)
    .where('cluster', '!=', cluster.name)
    .execute();
  if (taken.length > 0) {
    throw new ProblemError(
      ...taken.map(({ name, cluster: other }) => problem('NOVA8012', { node: name, cluster: other ?? '' })),
    );
  }
}
