import { changesBetween } from '@nova-platform/change/fields';
import { configHandlers } from '@nova-platform/config-manager';
import type { nodeContract } from '@nova-platform/contracts/universe';
import type { Handlers } from '@nova-platform/http';
import type { Parts } from '../universe.ts';

/**
 * The Configuration Manager's own handlers. A revoked node is also deleted from its cluster, so that its pods start
 * elsewhere.
 */
export function nodeHandlers({ config, clusters, connections, logger }: Parts): Handlers<typeof nodeContract> {
  const handlers = configHandlers(config.services);
  return {
    ...handlers,
    revokeNode: async (asked) => {
      const { name } = asked.params;
      const { cluster, identity } = await config.services.nodes.one(name);
      const answer = await handlers.revokeNode(asked);
      asked.request.changes = changesBetween({ identity }, { identity: 'revoked' });
      // A kubelet that is not denied yet would register its node again.
      if (cluster === undefined || answer.denied.length === 0) return answer;
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name } };
      // If this fails, the cluster itself moves the pods of a silent node some minutes later.
      await clusters
        .plan(cluster)
        .then((plan) => connections.withApi(plan, (api) => api.remove(node)))
        .catch((err: unknown) => logger.warn({ err, node: name }, 'the node could not be removed from its cluster'));
      return answer;
    },
  };
}
