import { cordon, drain as drainPods, uncordon } from '@nova-platform/kubernetes';
import { type RemovedNode, removedMachines } from '../approved.ts';
import type { Approved, Context, EachStep, Planned } from '../operation.ts';
import { timeoutsOf } from '../timeouts.ts';

/** Moves the pods of nodes that will be removed. */
export const drain: EachStep<Approved, RemovedNode> = {
  name: 'drain',
  title: { en: 'Drain the node', ru: 'Освободить узел (drain)' },
  items: removedMachines,
  run: async ({ item, ...context }) => drainNode(context, item.name, removedMachines(context)),
  undo: async ({ plan, item, connections }) => connections.withApi(plan, (api) => uncordon(api, item.name)),
};

/** Cordons all nodes that will be removed or restarted, so that pods of one do not move to another; then drains one. */
export async function drainNode(
  {
    plan,
    infra,
    connections,
    log,
    signal,
  }: Pick<Context<Planned>, 'plan' | 'infra' | 'connections' | 'log' | 'signal'>,
  name: string,
  cordoned: readonly { name: string }[],
): Promise<void> {
  const { drained: timeout } = await timeoutsOf({ plan, infra });
  await connections.withApi(plan, async (api) => {
    for (const each of cordoned) await cordon(api, each.name);
    const left = await drainPods(api, name, { signal, timeout });
    if (left.length > 0) log(`The drain timed out; these pods still run: ${left.join(', ')}`);
  });
}
