import { changeCluster } from './change.ts';
import { createCluster } from './create.ts';
import { destroyCluster } from './destroy.ts';
import type { ClusterTools } from './operation.ts';
import { runAgents } from './run-agents.ts';
import { startCluster } from './start.ts';
import { stopCluster } from './stop.ts';

export type ClusterOperations = ReturnType<typeof clusterOperations>;

/** All operations on clusters. */
export function clusterOperations(tools: ClusterTools) {
  return {
    createCluster: createCluster(tools),
    changeCluster: changeCluster(tools),
    startCluster: startCluster(tools),
    stopCluster: stopCluster(tools),
    destroyCluster: destroyCluster(tools),
    runAgents: runAgents(tools),
  };
}
