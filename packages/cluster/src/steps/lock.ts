import { machinesLock, releaseMachines } from '@nova-platform/kubernetes';
import { assertUnlocked } from '../machine-lock.ts';
import type { Approved, Step } from '../operation.ts';

/** Locks the machines in the cluster itself, for tools that do not use Universe. */
export const lock: Step<Approved> = {
  name: 'lock',
  title: { en: 'Lock the machine state', ru: 'Заблокировать состояние машин' },
  run: async ({ plan, operation, connections, log }) => {
    await assertUnlocked(connections, plan);
    await connections
      .withApi(plan, (api) => api.apply(machinesLock(operation)))
      .catch((error: Error) => log(`The lock was not created in the cluster: ${error.message}`));
  },
  undo: async ({ plan, connections, log }) => {
    await connections
      .withApi(plan, releaseMachines)
      .catch((error: Error) => log(`The lock was not deleted from the cluster: ${error.message}`));
  },
};
