import { named } from '../approved.ts';
import type { EachStep, Planned } from '../operation.ts';

export const removeMachines: EachStep<Planned> = {
  name: 'machine',
  title: { en: 'Remove the machine', ru: 'Удалить машину' },
  items: ({ plan }) => plan.nodes.map(named),
  run: async ({ plan, item, infra, log, signal }) => infra.of(plan).machines.remove(item.name, { log, signal }),
};
