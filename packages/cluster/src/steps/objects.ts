import { clusterObjects } from '@nova-platform/kubernetes';
import type { Planned, Step } from '../operation.ts';

/** RBAC roles, CoreDNS, CustomResourceDefinitions. */
export const objects: Step<Planned> = {
  name: 'objects',
  title: { en: 'Install RBAC, CoreDNS, CRDs', ru: 'Установить RBAC, CoreDNS, CRD' },
  run: async ({ plan, config, connections }) => {
    await connections.withApi(plan, async (api) => {
      for (const object of clusterObjects(plan, config.services.manager.registry)) await api.apply(object);
    });
  },
};
