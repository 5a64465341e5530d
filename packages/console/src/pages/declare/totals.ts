import { bytesOf } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';

export interface Totals {
  cpu: number;
  memoryBytes: number;
  diskBytes: number;
}

/** The resources of all machines of a plan. */
export function totalsOf({ nodes }: Pick<ClusterPlan, 'nodes'>): Totals {
  return {
    cpu: nodes.reduce((sum, node) => sum + node.cpu, 0),
    memoryBytes: nodes.reduce((sum, node) => sum + bytesOf(node.memory), 0),
    diskBytes: nodes.reduce((sum, node) => sum + bytesOf(node.disk), 0),
  };
}
