import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem } from '@nova-platform/api';
import type { ConfigManager } from '@nova-platform/config-manager';
import {
  answersNames,
  applyNode,
  cordon,
  drain,
  heartbeats,
  leaders,
  uncordon,
  readiness,
  type EtcdNode,
} from '@nova-platform/kubernetes';
import { type ClusterPlan, controlPlanes, type PlannedNode } from '@nova-platform/plan';
import type { Machines } from './machines.ts';
import type { Ways } from './ways.ts';

export type Log = (line: string) => void;

/** What it takes to have a node configured. */
export interface Configuring {
  /** Runs its agent; answers what came of it. */
  run: (node: string) => Promise<{ status: string } | undefined>;
  log: Log;
  signal: AbortSignal;
}

/** A node that is no longer declared. */
export interface GoneNode extends EtcdNode {
  isControlPlane: boolean;
}

export const pause = 200;
export const readyTimeout = 5 * 60_000;
const configureTimeout = 5 * 60_000;
const drainTimeout = 2 * 60_000;
const lost: ReadonlySet<string> = new Set(['NOVA8013', 'NOVA8014', 'NOVA8015']);

/** Nodes of a cluster, from their first run to their end. */
export class Nodes {
  readonly #ways: Ways;
  readonly #config: ConfigManager;
  readonly #machines: Machines;

  constructor(ways: Ways, config: ConfigManager, machines: Machines) {
    this.#ways = ways;
    this.#config = config;
    this.#machines = machines;
  }

  /** Whether a node is what was approved for it. */
  async isConfigured(name: string): Promise<boolean> {
    return (await this.#config.services.nodes.progress(name)).isCurrent;
  }

  /** Until the node is what was approved; one that knows us already is told to run now. */
  async configure(name: string, { run, log, signal }: Configuring): Promise<void> {
    const { nodes, orders } = this.#config.services;
    const deadline = Date.now() + configureTimeout;
    while (Date.now() < deadline) {
      signal.throwIfAborted();
      const { isCurrent, status } = await nodes.progress(name);
      if (isCurrent) {
        log(`it is what was approved (${status})`);
        return;
      }
      const report = orders.isAsking(name) ? await run(name).catch(unlessLost) : undefined;
      if (report?.status === 'failed') throw new ProblemError(problem('NOVA8341', { nodes: name }));
      await sleep(pause, undefined, { signal });
    }
    throw new ProblemError(problem('NOVA8342', { node: name }));
  }

  /** Until the API answers through its balanced address. */
  async untilApiAnswers(plan: ClusterPlan, signal: AbortSignal): Promise<void> {
    await this.#ways.withApi(plan, async (api) => {
      const deadline = Date.now() + readyTimeout;
      while (!(await api.isReady())) {
        if (Date.now() > deadline) throw new ProblemError(problem('NOVA8343', { cluster: plan.cluster.name }));
        await sleep(pause, undefined, { signal });
      }
    });
  }

  /** Until every node was heard of again: what is known of them may be from before they were stopped. */
  async untilHeard(plan: ClusterPlan, signal: AbortSignal): Promise<void> {
    await this.#ways.withApi(plan, async (api) => {
      const deadline = Date.now() + readyTimeout;
      const before = await heartbeats(api);
      for (;;) {
        const now = await heartbeats(api);
        const silent = plan.nodes.find(({ name }) => now.get(name) === before.get(name));
        if (!silent) return;
        if (Date.now() > deadline)
          throw new ProblemError(problem('NOVA8344', { node: silent.name, reason: 'it says nothing' }));
        await sleep(pause, undefined, { signal });
      }
    });
  }

  /** Until somebody leads again: who led before all were stopped is known as the leader for some seconds more. */
  async untilLed(plan: ClusterPlan, signal: AbortSignal): Promise<void> {
    await this.#ways.withApi(plan, async (api) => {
      const deadline = Date.now() + readyTimeout;
      const before = new Map((await leaders(api)).map(({ service, renewTime }) => [service, renewTime]));
      for (;;) {
        const idle = (await leaders(api)).find(({ service, renewTime }) => before.get(service) === renewTime);
        if (!idle) return;
        if (Date.now() > deadline) {
          const [node] = controlPlanes(plan.nodes);
          const { service, renewTime: at = '—' } = idle;
          throw new ProblemError(problem('NOVA8358', { service, at, node: node?.name ?? '' }));
        }
        await sleep(pause, undefined, { signal });
      }
    });
  }

  /** Until every node has its roles, is ready and takes pods, and names are answered to them. */
  async untilReady(plan: ClusterPlan, log: Log, signal: AbortSignal): Promise<void> {
    const { nodes } = plan;
    await this.#ways.withApi(plan, async (api) => {
      const deadline = Date.now() + readyTimeout;
      const joined = new Set<string>();
      for (;;) {
        const found = await readiness(api);
        for (const node of nodes) {
          if (!found.has(node.name) || joined.has(node.name)) continue;
          await applyNode(api, node);
          // A change that was not brought to its end may have closed it.
          await uncordon(api, node.name);
          joined.add(node.name);
          log(`${node.name} has joined`);
        }
        const [waiting] = nodes.filter(({ name }) => !found.has(name) || found.get(name) !== undefined);
        if (!waiting && (await answersNames(api))) return;
        if (Date.now() > deadline) {
          if (!waiting) throw new ProblemError(problem('NOVA8351', { cluster: plan.cluster.name }));
          const reason = found.get(waiting.name) ?? 'it has not joined';
          throw new ProblemError(problem('NOVA8344', { node: waiting.name, reason }));
        }
        await sleep(pause, undefined, { signal });
      }
    });
  }

  /** Nothing new comes to any node that goes, and what runs on this one moves to those that stay. */
  async drain(
    plan: ClusterPlan,
    name: string,
    gone: readonly EtcdNode[],
    log: Log,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#ways.withApi(plan, async (api) => {
      for (const each of gone) await cordon(api, each.name);
      const left = await drain(api, name, { signal, timeout: drainTimeout });
      if (left.length > 0) log(`goes on, with these still there: ${left.join(', ')}`);
    });
  }

  /** Pods may come to the node again. */
  async uncordon(plan: ClusterPlan, name: string): Promise<void> {
    await this.#ways.withApi(plan, (api) => uncordon(api, name));
  }

  /** A node that is no longer declared: out of the cluster, then its machine, then what is known of it. */
  async remove(plan: ClusterPlan, name: string): Promise<void> {
    // An API server that ends by itself says so to the others; who is cut off is looked for a while longer.
    if ((await this.#machines.of(plan.cluster.name)).some((machine) => machine.name === name))
      await this.#machines.stop(name);
    await this.#ways.withApi(plan, (api) => api.remove({ apiVersion: 'v1', kind: 'Node', metadata: { name } }));
    await this.#machines.remove(name);
    await this.#config.services.catalogs.forgetNode(name);
  }
}

export function demandNode({ nodes }: ClusterPlan, name: string): PlannedNode {
  const node = nodes.find((each) => each.name === name);
  if (!node) throw new ProblemError(problem('NOVA8010', { node: name }));
  return node;
}

/** A node that does not come for its order, or breaks off, was killed; one that is not known came anew, and will be. */
function unlessLost(error: unknown): undefined {
  const isLost = error instanceof ProblemError && error.problems.some(({ code }) => lost.has(code));
  if (!isLost) throw error;
}
