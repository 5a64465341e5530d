import { ProblemError, problem } from '@nova-platform/api';
import type { MachineState } from '@nova-platform/infra';
import { type EtcdNode, missedBy, probe } from '@nova-platform/kubernetes';
import { controlPlanes } from '@nova-platform/plan';
import type { RemovedNode } from './approved.ts';
import type { ClusterTools, Planned } from './operation.ts';

/** Refuses a change that would leave etcd without a quorum. */
export async function assertQuorum(
  { plan, connections }: Planned & Pick<ClusterTools, 'connections'>,
  removed: readonly RemovedNode[],
): Promise<void> {
  const { name } = plan.cluster;
  const leaving = removed.filter(({ isControlPlane }) => isControlPlane);
  if (leaving.length === 0) return;
  const staying = controlPlanes(plan.nodes);
  const members = await connections
    .withEtcd(plan, [...staying, ...leaving], (etcd) => etcd.members())
    .catch((error: Error) => {
      throw new ProblemError(problem('NOVA8347', { cluster: name, reason: error.message }));
    });
  // New members have joined and are healthy before others leave.
  const joining = staying
    .filter(({ address }) => !members.some((member) => member.address === address))
    .map(({ address }) => ({ address, isLearner: false, isHealthy: true }));
  assertMajority(name, [...members, ...joining], leaving, [...staying, ...leaving]);
}

/** Whether the initial members have created etcd. If one of them is stopped, that is unknown. */
export async function mayHaveEtcd(
  { plan, connections }: Planned & Pick<ClusterTools, 'connections'>,
  initialMembers: readonly string[],
  machines: readonly MachineState[],
): Promise<boolean> {
  if (machines.some(({ name, state }) => state === 'stopped' && initialMembers.includes(name))) return true;
  const nodes = plan.nodes.filter(({ name }) => initialMembers.includes(name));
  const identity = await connections.access(plan, 'etcd');
  // etcd responds only after a majority of its initial members have connected.
  const probes = await Promise.all(nodes.map(({ address }) => probe('etcd', address, identity)));
  return probes.some(({ outcome }) => outcome === 'responds');
}

/** Refuses to remove members if the remaining ones would have no quorum. */
export function assertMajority(
  cluster: string,
  members: Parameters<typeof missedBy>[0],
  leaving: readonly EtcdNode[],
  known: readonly EtcdNode[],
): void {
  const missed = missedBy(
    members,
    leaving.map(({ address }) => address),
  );
  if (!missed) return;
  const nameOf = (address: string) => known.find((each) => each.address === address)?.name ?? address;
  throw new ProblemError(
    problem('NOVA8346', {
      cluster,
      leaving: leaving.map(({ name }) => name).join(', '),
      unhealthy: missed.map(nameOf).join(', '),
    }),
  );
}
