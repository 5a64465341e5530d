import type { Planned, Step } from '../operation.ts';

/** Deletes everything that Universe keeps of the cluster. */
export const forget: Step<Planned> = {
  name: 'forget',
  title: { en: 'Delete certificates, keys and documents', ru: 'Удалить сертификаты, ключи и документы' },
  run: async ({ plan, config, clusters, publishNames }) => {
    const { name } = plan.cluster;
    await config.services.catalogs.forget(name);
    await clusters.remove(name);
    await publishNames();
  },
};
