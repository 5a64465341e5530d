import type { Planned, Step } from '../operation.ts';

/** Removes the network, and machines that an incomplete change has left in it. */
export const removeNetwork: Step<Planned> = {
  name: 'network',
  title: { en: 'Remove the network', ru: 'Удалить сеть' },
  run: async ({ plan, infra }) => infra.of(plan).networks?.remove(plan.cluster.name),
};
