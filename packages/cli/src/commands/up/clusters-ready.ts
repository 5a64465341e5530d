import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '@nova-platform/api';
import type { Health, UniverseClient } from '@nova-platform/contracts/universe/client';
import type { Step } from '@nova-platform/installer';

const pause = 1000;
/** A cluster that is broken for another reason must not block `up`. */
const patience = 3 * 60_000;

/** Waits until the clusters of the site work again: after a start of this host, their machines still boot. */
export function clustersReady(client: () => UniverseClient, { every = pause, within = patience } = {}): Step {
  return {
    title: { en: 'clusters', ru: 'кластеры' },
    run: async (report) => {
      const end = Date.now() + within;
      for (let hasWaited = false; ; hasWaited = true) {
        const names = await startingClusters(client());
        if (names.length === 0 || Date.now() > end) return hasWaited;
        report({ en: `waiting for ${names.join(', ')}`, ru: `ожидание: ${names.join(', ')}` });
        await sleep(every);
      }
    },
  };
}

async function startingClusters(client: UniverseClient): Promise<string[]> {
  const { clusters } = await client.listClusters({ query: { limit: 500 } });
  const found = await Promise.all(
    clusters.map(async ({ name }) => {
      const health = await client.clusterHealth({ params: { cluster: name } }).catch(ignoreTransient);
      return health === undefined || isStarting(health) ? [name] : [];
    }),
  );
  return found.flat();
}

function ignoreTransient(error: unknown): undefined {
  if (!isTransient(error)) throw error;
}

function isStarting({ state, nodes, findings }: Health): boolean {
  if (state !== 'degraded' && state !== 'failed') return false;
  return nodes.some(({ isReady }) => isReady !== true) || findings.some(({ severity }) => severity === 'error');
}
