import { controlPlanes } from '@nova-platform/plan';
import { removedMachines } from '../approved.ts';
import type { Approved, Step } from '../operation.ts';

/**
 * Control planes of an earlier attempt with other initial members would form an etcd of their own. Those that are no
 * longer planned are removed; the others are forgotten, so that their machines are created again.
 */
export const initialMembers: Step<Approved> = {
  name: 'initial-members',
  title: { en: 'Set the initial members of etcd', ru: 'Задать первых участников etcd' },
  run: async (context) => {
    const { plan, change, infra, config, clusters } = context;
    const { machines } = infra.of(plan);
    for (const { name, isControlPlane } of removedMachines(context)) if (isControlPlane) await machines.remove(name);
    for (const { name, action, isControlPlane } of change.machines)
      if (action === 'replace' && isControlPlane) await config.services.catalogs.forgetNode(name);
    const members = controlPlanes(plan.nodes).map(({ name }) => name);
    await clusters.setInitialMembers(plan.cluster.name, members);
  },
};
