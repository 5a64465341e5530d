import { controlPlanes } from '@nova-platform/plan';
import { named, workers } from '../approved.ts';
import type { EachStep, Planned } from '../operation.ts';
import { ensureMachine } from './machines.ts';

const run: EachStep<Planned>['run'] = async ({ item, ...context }) => ensureMachine(context, item.name);

export const startControlPlanes: EachStep<Planned> = {
  name: 'control-plane',
  title: { en: 'Start the control plane node', ru: 'Запустить узел управления' },
  items: ({ plan }) => controlPlanes(plan.nodes).map(named),
  run,
};

export const startWorkers: EachStep<Planned> = {
  name: 'machine',
  title: { en: 'Start the machine', ru: 'Запустить машину' },
  items: ({ plan }) => workers(plan).map(named),
  run,
};
