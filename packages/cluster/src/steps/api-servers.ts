import { controlPlanes } from '@nova-platform/plan';
import { balance } from '../balance.ts';
import { waitUntilServing } from '../control-planes.ts';
import type { Planned, Step } from '../operation.ts';
import { waitForApi } from './api.ts';

/** Waits for every API server, and points the load balancer at all of them. */
export const apiServers: Step<Planned> = {
  name: 'api',
  title: { en: 'Wait for every API server', ru: 'Дождаться всех серверов API' },
  run: async (context) => {
    for (const node of controlPlanes(context.plan.nodes)) await waitUntilServing(context, node);
    await balance(context);
    await waitForApi(context);
  },
};
