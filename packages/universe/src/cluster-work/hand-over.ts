import { applyDeclaration, type LockHolder, machineStates, machinesLock } from '@nova-platform/kubernetes';
import type { ClusterPlan } from '@nova-platform/plan';
import type { Machines } from './machines.ts';
import type { Log } from './nodes.ts';
import type { Ways } from './ways.ts';

/** What a cluster itself knows of what it was made from and runs on, and of who changes that. */
export class HandOver {
  readonly #ways: Ways;
  readonly #machines: Machines;

  constructor(ways: Ways, machines: Machines) {
    this.#ways = ways;
    this.#machines = machines;
  }

  /** Tells everybody who has to do with the cluster that its machines change now; best effort, for its API may be away. */
  async lock(plan: ClusterPlan, holder: LockHolder, log: Log): Promise<void> {
    await this.#ways
      .withApi(plan, (api) => api.apply(machinesLock(holder)))
      .catch((error: Error) => log(`the cluster does not know of this lock: ${error.message}`));
  }

  /** Of whoever has it: one that did not come to its end is followed by this one. */
  async unlock(plan: ClusterPlan, holder: LockHolder): Promise<void> {
    await this.#ways.withApi(plan, (api) => api.remove(machinesLock(holder)));
  }

  async declare(plan: ClusterPlan): Promise<void> {
    const machines = await this.#machines.of(plan.cluster.name);
    await this.#ways.withApi(plan, async (api) => {
      await applyDeclaration(api, plan);
      await api.apply(machineStates(machines));
    });
  }
}
