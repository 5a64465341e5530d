import { clusterOperation, planned } from './operation.ts';
import { stopControlPlanes, stopWorkers } from './steps/stop-machines.ts';

/** Stops all machines; the API is available until the workers are stopped. */
export const stopCluster = clusterOperation(
  {
    kind: 'cluster.stop',
    title: { en: 'Stop the cluster', ru: 'Остановить кластер' },
    titleOf: ({ plan: { cluster } }) => ({ en: `Stop ${cluster.name}`, ru: `Остановить ${cluster.name}` }),
    input: planned,
  },
  [stopWorkers, stopControlPlanes],
);
