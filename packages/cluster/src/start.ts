import { clusterOperation, planned } from './operation.ts';
import { apiServers } from './steps/api-servers.ts';
import { members } from './steps/members.ts';
import { network } from './steps/network.ts';
import { readyAfterStart } from './steps/ready-after-start.ts';
import { startControlPlanes, startWorkers } from './steps/start-machines.ts';

/** Starts a stopped cluster. */
export const startCluster = clusterOperation(
  {
    kind: 'cluster.start',
    title: { en: 'Start the cluster', ru: 'Запустить кластер' },
    titleOf: ({ plan: { cluster } }) => ({ en: `Start ${cluster.name}`, ru: `Запустить ${cluster.name}` }),
    input: planned,
  },
  [
    network, // the load balancer skips API servers that do not respond
    startControlPlanes, // all at once
    members, // etcd has a quorum again
    apiServers, // and the load balancer has all of them
    startWorkers, // all at once
    readyAfterStart, // nodes, leaders, DNS
  ],
);
