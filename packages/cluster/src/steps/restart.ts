import { uncordon } from '@nova-platform/kubernetes';
import { plannedNode, type ResizedNode, removedMachines, resizedMachines } from '../approved.ts';
import { balance } from '../balance.ts';
import { joinEtcd, waitUntilServing } from '../control-planes.ts';
import type { Approved, EachStep } from '../operation.ts';
import { drainNode } from './drain.ts';
import { waitUntilReady } from './ready.ts';

/** Sizes that need a restart: one node at a time is drained, restarted and uncordoned. */
export const restart: EachStep<Approved, ResizedNode> = {
  name: 'restart',
  isInTurn: true,
  title: { en: 'Drain, resize and restart the node', ru: 'Освободить узел (drain), изменить размер, перезапустить' },
  items: (input) => resizedMachines(input, false),
  run: async ({ item, ...context }) => {
    const { plan, infra } = context;
    const node = plannedNode(plan, item.name);
    const removed = removedMachines(context);
    const isControlPlane = node.roles.includes('control-plane');
    const { machines } = infra.of(plan);
    if (isControlPlane) await balance(context, removed, node.name);
    await drainNode(context, node.name, [node]);
    await machines.stop(node.name);
    await machines.resize(node.name, item.size);
    await machines.start(node.name);
    if (isControlPlane) {
      await waitUntilServing(context, node);
      await joinEtcd(context);
      await balance(context, removed);
    }
    await waitUntilReady(context);
  },
  undo: async ({ plan, item, connections }) => connections.withApi(plan, (api) => uncordon(api, item.name)),
};
