import { ProblemError, problem } from '@nova-platform/api';
import type { MachineSize } from '@nova-platform/infra';
import { type ClusterPlan, controlPlanes, type PlannedNode } from '@nova-platform/plan';
import type { Approved } from './operation.ts';

/** A machine that is no longer declared. */
export interface RemovedNode {
  name: string;
  address: string;
  isControlPlane: boolean;
}

export interface ResizedNode {
  name: string;
  /** Only what changes. */
  size: Partial<MachineSize>;
}

export const named = ({ name }: { name: string }): { name: string } => ({ name });

export function plannedNode({ nodes }: ClusterPlan, name: string): PlannedNode {
  const node = nodes.find((each) => each.name === name);
  if (!node) throw new ProblemError(problem('NOVA8010', { node: name }));
  return node;
}

/** Nodes that are not control planes. */
export function workers({ nodes }: ClusterPlan): PlannedNode[] {
  return nodes.filter(({ roles }) => !roles.includes('control-plane'));
}

/** Machines that are created or started. */
export function createdMachines({ change: { machines } }: Approved): { name: string }[] {
  return machines.filter(({ action }) => ['create', 'replace', 'start'].includes(action)).map(named);
}

/** Machines that are resized: while they run, or with a restart. */
export function resizedMachines({ change: { machines } }: Approved, isLive: boolean): ResizedNode[] {
  return machines.flatMap((machine) => {
    if (machine.action !== 'resize' || machine.isLive !== isLive) return [];
    const size = Object.fromEntries(machine.fields.map(({ name, after }) => [name, after])) as Partial<MachineSize>;
    return [{ name: machine.name, size }];
  });
}

export function removedMachines({ change }: Pick<Approved, 'change'> | { change?: undefined }): RemovedNode[] {
  return (change?.machines ?? []).flatMap(({ action, name, address, isControlPlane }) =>
    action === 'remove' ? [{ name, address, isControlPlane }] : [],
  );
}

/** Nodes whose catalog changes. New control planes come first: the others change once these serve. */
export function configuredNodes(
  { plan, change: { catalogs } }: Approved,
  which: 'control planes' | 'workers',
): { name: string }[] {
  const planes = new Set(controlPlanes(plan.nodes).map(({ name }) => name));
  return catalogs
    .filter(({ node }) => planes.has(node) === (which === 'control planes'))
    .toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst))
    .map(({ node }) => ({ name: node }));
}
