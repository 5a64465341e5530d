import { lockMachines, releaseMachines } from '@nova-platform/kubernetes';
import { assertNoHolder, assertUnlocked } from '../machine-lock.ts';
import type { Approved, Step } from '../operation.ts';

/** Locks the machines in the cluster itself, for tools that do not use Universe. */
export const lock: Step<Approved> = {
  name: 'lock',
  title: { en: 'Lock the machine state', ru: 'Заблокировать состояние машин' },
  run: async ({ plan, operation, connections, log }) => {
    await assertUnlocked(connections, plan);
    const holder = await connections
      .withApi(plan, (api) => lockMachines(api, operation))
      .catch((error: Error) => {
        log(`The lock was not created in the cluster: ${error.message}`);
        return undefined;
      });
    // Another tool may have taken the lock since the check.
    assertNoHolder(plan, holder);
  },
  undo: async ({ plan, connections, log }) => {
    await connections
      .withApi(plan, releaseMachines)
      .catch((error: Error) => log(`The lock was not deleted from the cluster: ${error.message}`));
  },
};
