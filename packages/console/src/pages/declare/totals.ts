import { bytesOf } from '@nova-platform/api';
import type { Change, FieldChange } from '@nova-platform/change/schema';
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

/** What a change needs beside what its cluster already uses. Removed machines free their resources only at the end. */
export function neededBy(
  { machines }: Pick<Change, 'machines'>,
  { nodes }: Pick<ClusterPlan, 'nodes'>,
): Omit<Totals, 'cpu'> {
  const named = (wanted: Change['machines'][number]['action']) =>
    new Set(machines.filter(({ action }) => action === wanted).map(({ name }) => name));
  const [created, started] = [named('create'), named('start')];
  const made = totalsOf({ nodes: nodes.filter(({ name }) => created.has(name)) });
  // A stopped machine has its disk, but no memory.
  const running = totalsOf({ nodes: nodes.filter(({ name }) => started.has(name)) });
  const resized = machines.filter((machine) => machine.action === 'resize');
  const grown = resized.filter(({ name }) => !started.has(name));
  return {
    memoryBytes: made.memoryBytes + running.memoryBytes + growth('memory', grown),
    diskBytes: made.diskBytes + growth('disk', resized),
  };
}

/** How much one resource of resized machines grows. */
function growth(resource: string, resized: readonly { fields: readonly FieldChange[] }[]): number {
  const changed = resized.flatMap(({ fields }) => fields.filter(({ name }) => name === resource));
  return changed.reduce(
    (sum, { before, after }) => sum + Math.max(0, bytesOf(String(after)) - bytesOf(String(before))),
    0,
  );
}
