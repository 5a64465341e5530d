import { type ResizedNode, resizedMachines } from '../approved.ts';
import type { Approved, EachStep } from '../operation.ts';

/** Resizes running machines. */
export const resize: EachStep<Approved, ResizedNode> = {
  name: 'resize',
  title: { en: 'Resize the machine', ru: 'Изменить размер машины' },
  items: (input) => resizedMachines(input, true),
  run: async ({ plan, item, infra, log }) => {
    const { machines } = infra.of(plan);
    await machines.resize(item.name, item.size);
    const resized = (await machines.observe(plan.cluster.name)).find(({ name }) => name === item.name);
    if (resized?.untilRestart)
      log(`${item.name} gets its new size at its next start; the next apply offers a restart.`);
  },
};
