import { controlPlanes } from '@nova-platform/plan';
import { named, workers } from '../approved.ts';
import type { EachStep, Planned } from '../operation.ts';

const run: EachStep<Planned>['run'] = async ({ plan, item, infra }) => infra.of(plan).machines.stop(item.name);

export const stopWorkers: EachStep<Planned> = {
  name: 'machine',
  title: { en: 'Stop the machine', ru: 'Остановить машину' },
  items: ({ plan }) => workers(plan).map(named),
  run,
};

export const stopControlPlanes: EachStep<Planned> = {
  name: 'control-plane',
  title: { en: 'Stop the control plane node', ru: 'Остановить узел управления' },
  items: ({ plan }) => controlPlanes(plan.nodes).map(named),
  run,
};
