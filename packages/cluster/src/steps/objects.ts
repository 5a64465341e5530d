import { clusterObjects } from '@nova-platform/kubernetes';
import type { Planned, Step } from '../operation.ts';

/** RBAC roles, CoreDNS, CustomResourceDefinitions. */
export const objects: Step<Planned> = {
  name: 'objects',
  title: { en: 'roles, CoreDNS, our kinds', ru: 'роли, CoreDNS, наши типы' },
  run: async ({ plan, config, connections }) => {
    await connections.withApi(plan, async (api) => {
      for (const object of clusterObjects(plan, config.services.manager.registry)) await api.apply(object);
    });
  },
};
