import { applyDeclaration, machineStates, releaseMachines } from '@nova-platform/kubernetes';
import type { Planned, Step } from '../operation.ts';

/** Writes the documents and the state of the machines into the cluster. */
export const handOver: Step<Planned> = {
  name: 'hand-over',
  title: { en: 'Store the documents in the cluster', ru: 'Сохранить документы в кластере' },
  run: async ({ plan, infra, connections }) => {
    const machines = await infra.of(plan).machines.observe(plan.cluster.name);
    await connections.withApi(plan, async (api) => {
      await applyDeclaration(api, plan);
      await api.apply(machineStates(machines));
    });
  },
};

/** Releases the lock as well, even one that an unfinished operation left, but no other holder's. */
export const handOverAndUnlock: Step<Planned> = {
  ...handOver,
  run: async (context) => {
    await handOver.run(context);
    const { plan, connections } = context;
    await connections.withApi(plan, releaseMachines);
  },
};
