import { type ResizedNode, resizedMachines } from '../approved.ts';
import type { Approved, EachStep } from '../operation.ts';

/** Resizes running machines. */
export const resize: EachStep<Approved, ResizedNode> = {
  name: 'resize',
  title: { en: 'Resize the machine', ru: 'Изменить размер машины' },
  items: (input) => resizedMachines(input, true),
  run: async ({ plan, item, infra }) => infra.of(plan).machines.resize(item.name, item.size),
};
