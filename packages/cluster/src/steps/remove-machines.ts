import { named } from '../approved.ts';
import type { EachStep, Planned } from '../operation.ts';

export const removeMachines: EachStep<Planned> = {
  name: 'machine',
  title: { en: 'remove the machine', ru: 'удалить машину' },
  items: ({ plan }) => plan.nodes.map(named),
  run: async ({ plan, item, infra }) => infra.of(plan).machines.remove(item.name),
};
