import { clusterDeclaration, type LockHolder, machineStates, machinesLock } from '@nova-platform/cluster';
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
  async lock(cluster: string, holder: LockHolder, log: Log): Promise<void> {
    await this.#ways
      .withApi(cluster, (api) => api.apply(machinesLock(holder)))
      .catch((error: Error) => log(`the cluster does not know of this lock: ${error.message}`));
  }

  /** Of whoever has it: one that did not come to its end is followed by this one. */
  async unlock(cluster: string, holder: LockHolder): Promise<void> {
    await this.#ways.withApi(cluster, (api) => api.remove(machinesLock(holder)));
  }

  async declare(cluster: string): Promise<void> {
    const plan = await this.#ways.plan(cluster);
    const machines = plan.cluster.provider === 'local' ? await this.#machines.of(cluster) : [];
    await this.#ways.withApi(cluster, async (api) => {
      await api.apply(clusterDeclaration(plan));
      await api.apply(machineStates(machines));
    });
  }
}
