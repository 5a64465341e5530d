import { configuredNodes, plannedNode, removedMachines } from '../approved.ts';
import { balance } from '../balance.ts';
import { joinEtcd, waitUntilServing } from '../control-planes.ts';
import type { Approved, EachStep } from '../operation.ts';
import { configureNode } from './configure.ts';

/** Configures control planes in turn, out of the load balancer: together they would interrupt the API. */
export const controlPlanes: EachStep<Approved> = {
  name: 'control-plane',
  isInTurn: true,
  title: { en: 'Configure the control plane node', ru: 'Настроить узел управления' },
  items: (input) => configuredNodes(input, 'control planes'),
  run: async ({ item, ...context }) => {
    const { plan, config } = context;
    const removed = removedMachines(context);
    const { isCurrent } = await config.services.nodes.progress(item.name);
    if (!isCurrent) await balance(context, removed, item.name);
    await configureNode(context, item.name);
    await waitUntilServing(context, plannedNode(plan, item.name));
    await joinEtcd(context);
    await balance(context, removed);
  },
};
