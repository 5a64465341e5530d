import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { joinMembers, missedBy, type EtcdNode, unhealthyFirst } from '@nova-platform/kubernetes';
import { type ClusterPlan, controlPlanes } from '@nova-platform/plan';
import type { Machines, Resized } from './machines.ts';
import { type Configuring, demandNode, type GoneNode, type Log, type Nodes, pause, readyTimeout } from './nodes.ts';
import type { Ways } from './ways.ts';

/** Most requests take less. */
const answerTime = 1000;

/** Control planes of a cluster: members of its store, and servers of its API. */
export class Members {
  readonly #ways: Ways;
  readonly #machines: Machines;
  readonly #nodes: Nodes;

  constructor(ways: Ways, machines: Machines, nodes: Nodes) {
    this.#ways = ways;
    this.#machines = machines;
    this.#nodes = nodes;
  }

  /** Refuses a change after which etcd could not decide any more. */
  async demandQuorum(plan: ClusterPlan, gone: readonly GoneNode[]): Promise<void> {
    const {
      cluster: { name },
      nodes,
    } = plan;
    const leaving = gone.filter(({ isControlPlane }) => isControlPlane);
    if (leaving.length === 0) return;
    const stay = controlPlanes(nodes);
    const members = await this.#ways
      .withEtcd(plan, [...stay, ...leaving], (etcd) => etcd.members())
      .catch((error: Error) => {
        throw new ProblemError(problem('NOVA8347', { cluster: name, reason: error.message }));
      });
    // New ones have joined, and are well, before others leave.
    const joining = stay
      .filter(({ address }) => !members.some((member) => member.address === address))
      .map(({ address }) => ({ address, isLearner: false, isHealthy: true }));
    demandMajority(name, [...members, ...joining], leaving, [...stay, ...leaving]);
  }

  /** Until every control plane is a member of the store with a vote, and well; they join one after the other. */
  async join(plan: ClusterPlan, log: Log, signal: AbortSignal): Promise<void> {
    const nodes = controlPlanes(plan.nodes);
    const late = await this.#ways.withEtcd(plan, nodes, (etcd) =>
      joinMembers(etcd, nodes, { log, signal, timeout: readyTimeout }),
    );
    if (late) throw new ProblemError(problem('NOVA8348', { node: late.name, reason: late.reason }));
  }

  /** One control plane anew while the others serve: it is balanced out, configured, and in again once all of it is well. */
  async renew(plan: ClusterPlan, name: string, gone: readonly GoneNode[], configuring: Configuring): Promise<void> {
    const { log, signal } = configuring;
    const node = demandNode(plan, name);
    if (!(await this.#nodes.isConfigured(name))) await this.#machines.balance(plan, gone, name);
    await this.#nodes.configure(name, configuring);
    await this.#untilServing(plan, node, signal);
    await this.join(plan, log, signal);
    await this.#machines.balance(plan, gone);
  }

  /** Another size that needs a restart: the node is drained, its machine starts anew, and pods may come again. */
  async restart(
    plan: ClusterPlan,
    resized: Resized,
    gone: readonly GoneNode[],
    { log, signal }: { log: Log; signal: AbortSignal },
  ): Promise<void> {
    const node = demandNode(plan, resized.name);
    const isControlPlane = node.roles.includes('control-plane');
    if (isControlPlane) await this.#machines.balance(plan, gone, node.name);
    await this.#nodes.drain(plan, node.name, [node], log, signal);
    await this.#machines.stop(node.name);
    await this.#machines.resize(resized);
    await this.#machines.start(node.name);
    if (isControlPlane) {
      await this.#untilServing(plan, node, signal);
      await this.join(plan, log, signal);
      await this.#machines.balance(plan, gone);
    }
    await this.#nodes.untilReady(plan, log, signal);
  }

  /** Until every control plane serves; then the balanced address leads to all of them. */
  async untilAllServe(plan: ClusterPlan, signal: AbortSignal): Promise<void> {
    for (const node of controlPlanes(plan.nodes)) await this.#untilServing(plan, node, signal);
    await this.#machines.balance(plan, []);
  }

  /** Control planes serve no more and are no members any more, one after the other; then they may go. */
  async leave(plan: ClusterPlan, gone: readonly GoneNode[], log: Log): Promise<void> {
    const leaving = gone.filter(({ isControlPlane }) => isControlPlane);
    if (leaving.length === 0) return;
    const stay = controlPlanes(plan.nodes);
    const isStaying = ({ address }: { address: string }) => stay.some((each) => each.address === address);
    let serving = leaving;
    await this.#ways.withEtcd(plan, [...stay, ...leaving], async (etcd) => {
      for (const { id, address } of (await etcd.members()).toSorted(unhealthyFirst)) {
        const node = leaving.find((each) => each.address === address);
        if (!node) continue;
        serving = serving.filter((each) => each !== node);
        await this.#machines.balance(plan, serving);
        // What it was asked before that it still answers.
        await sleep(answerTime);
        // Seen anew each time: another may have failed, or leads, meanwhile.
        const members = await etcd.members();
        demandMajority(plan.cluster.name, members, [node], [...stay, ...leaving]);
        const leader = members.find((each) => each.isLeader);
        const heir = members.find((each) => isStaying(each) && each.isHealthy && !each.isLearner);
        if (leader?.id === id && heir) await etcd.transferLead(leader, heir);
        await etcd.remove(id);
        log(`${node.name} is no member of the store any more`);
      }
    });
    await this.#machines.balance(plan, []);
  }

  async #untilServing(plan: ClusterPlan, node: EtcdNode, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + readyTimeout;
    while (!(await this.#ways.isServing(plan, node))) {
      if (Date.now() > deadline) throw new ProblemError(problem('NOVA8349', { node: node.name }));
      await sleep(pause, undefined, { signal });
    }
  }
}

/** Refuses to let members leave after which those that stay could not decide any more. */
function demandMajority(
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
