import { clusterOperation, planned } from './operation.ts';
import { forget } from './steps/forget.ts';
import { removeMachines } from './steps/remove-machines.ts';
import { removeNetwork } from './steps/remove-network.ts';

/** Removes a cluster and all its data. */
export const destroyCluster = clusterOperation(
  {
    kind: 'cluster.destroy',
    title: { en: 'Destroy the cluster', ru: 'Удалить кластер' },
    titleOf: ({ plan: { cluster } }) => ({ en: `Destroy ${cluster.name}`, ru: `Удалить ${cluster.name}` }),
    input: planned,
  },
  [
    removeMachines, // all at once
    removeNetwork, // with machines that are in no plan
    forget, // identities, keys, documents, names
  ],
);
