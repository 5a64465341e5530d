import type { Change } from '@nova-platform/change';
import { removedMachines } from '../approved.ts';
import { balance } from '../balance.ts';
import type { Planned, Step } from '../operation.ts';

/** The network of the nodes, its router, DNS names, published addresses and the load balancer of the API. */
export const network: Step<Planned & { change?: Change }> = {
  name: 'network',
  title: {
    en: 'Set up network, router, DNS names, load balancer',
    ru: 'Настроить сеть, маршрутизатор, имена DNS, балансировщик',
  },
  run: async (context) => {
    const { plan, change, infra } = context;
    await infra.of(plan).networks?.ensure(plan);
    await balance(context, change && removedMachines({ change }));
  },
};

export const newNetwork: typeof network = {
  ...network,
  undo: async ({ plan, infra }) => infra.of(plan).networks?.remove(plan.cluster.name),
};
