import { type RemovedNode, removedMachines } from '../approved.ts';
import type { Approved, EachStep } from '../operation.ts';

/** Removes a node that is no longer declared: from Kubernetes, then its machine, then its identity. */
export const remove: EachStep<Approved, RemovedNode> = {
  name: 'remove',
  title: { en: 'Remove the node', ru: 'Удалить узел' },
  items: removedMachines,
  run: async ({ plan, item: { name }, infra, connections, config, log, signal }) => {
    const { machines, isFixed } = infra.of(plan);
    // An API server that stops gracefully removes itself from the endpoints; one that is cut off stays among them.
    if (isFixed) await machines.remove(name, { log, signal });
    else if ((await machines.observe(plan.cluster.name)).some((machine) => machine.name === name))
      await machines.stop(name);
    await connections.withApi(plan, (api) => api.remove({ apiVersion: 'v1', kind: 'Node', metadata: { name } }));
    await machines.remove(name);
    await config.services.catalogs.forgetNode(name);
  },
};
