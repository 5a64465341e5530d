import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '@nova-platform/api';
import type { UniverseClient } from '@nova-platform/contracts/universe/client';
import type { Report, Step } from '../step.ts';

const readyTimeout = 3 * 60_000;
const pollInterval = 1000;
const maxClusters = 500;

type Client = Pick<UniverseClient, 'listClusters' | 'clusterHealth'>;

/** The engine boots the machines of existing clusters when it starts. Then their APIs and pods need a moment. */
export const clusters = (client: () => Client, isStarted: () => boolean): Step => ({
  title: { en: 'clusters', ru: 'кластеры' },
  run: async (report) => {
    if (!isStarted()) return false;
    await clustersReady(client(), report, { every: pollInterval, within: readyTimeout });
    return true;
  },
});

/** Waits until every cluster works, is stopped or is being changed. A broken cluster does not fail `up`: it can be repaired later. */
export async function clustersReady(
  client: Client,
  report: Report,
  { every, within }: { every: number; within: number },
): Promise<void> {
  const deadline = Date.now() + within;
  const { clusters: declared } = await client.listClusters({ query: { limit: maxClusters } });
  const isBroken = async (cluster: string) => {
    const health = await client.clusterHealth({ params: { cluster } }).catch((error: unknown) => {
      if (!isTransient(error)) throw error;
    });
    return health === undefined || health.state === 'failed' || health.state === 'degraded';
  };
  let waiting = declared.map(({ name }) => name);
  for (;;) {
    const broken = await Promise.all(waiting.map(isBroken));
    waiting = waiting.filter((_name, index) => broken[index]);
    if (waiting.length === 0 || Date.now() > deadline) return;
    report(waiting.join(', '));
    await sleep(every);
  }
}
