import { isTransient } from '@nova-platform/api';
import type { Health, UniverseClient } from '@nova-platform/contracts/universe/client';
import { silentSince } from '@nova-platform/kubernetes';
import { stillMissing } from '@nova-platform/process';
import type { Report, Step, Warning } from '../step.ts';

const readyTimeout = 3 * 60_000;
const pollInterval = 1000;
const maxClusters = 500;
/** A kubelet renews its lease a moment before it reports its pods. With the second renewal it has reported them. */
const renewals = 2;

type Client = Pick<UniverseClient, 'listClusters' | 'clusterHealth'>;

/** The engine boots the machines of existing clusters when it starts. Then their APIs and pods need a moment. */
export const clusters = (client: () => Client, isStarted: () => boolean): Step => ({
  title: { en: 'clusters', ru: 'кластеры' },
  run: async (report) => {
    if (!isStarted()) return false;
    const broken = await clustersReady(client(), report, { every: pollInterval, within: readyTimeout });
    return broken.length === 0 || warningAbout(broken);
  },
});

/**
 * Waits until every cluster works, is stopped or is being changed. Returns the others: a broken cluster does not fail
 * `up`, because it can be repaired later.
 */
export async function clustersReady(
  client: Client,
  report: Report,
  { every, within }: { every: number; within: number },
): Promise<string[]> {
  const { clusters: declared } = await client.listClusters({ query: { limit: maxClusters } });
  let waiting = declared.map(({ name }) => ({ name, leases: new Leases() }));
  const check = async () => {
    const working = await Promise.all(waiting.map(({ name, leases }) => isWorking(client, name, leases)));
    waiting = waiting.filter((_cluster, index) => !working[index]);
    if (waiting.length === 0) return undefined;
    const names = waiting.map(({ name }) => name);
    report(names.join(', '));
    return names;
  };
  return (await stillMissing(check, { every, within })) ?? [];
}

async function isWorking(client: Client, cluster: string, leases: Leases): Promise<boolean> {
  const health = await client.clusterHealth({ params: { cluster } }).catch((error: unknown) => {
    if (!isTransient(error)) throw error;
  });
  if (!health) return false;
  leases.see(health);
  if (health.state === 'stopped' || health.state === 'changing') return true;
  return health.state === 'ready' && leases.areRenewed;
}

/** The leases of one cluster. What Kubernetes reports is true only after they were renewed since the start. */
class Leases {
  #before: ReadonlyMap<string, string> | undefined;
  #left = renewals;

  get areRenewed(): boolean {
    return this.#left === 0;
  }

  see({ leases }: Pick<Health, 'leases'>): void {
    if (!leases || this.areRenewed) return;
    const now = new Map(Object.entries(leases));
    if (this.#before && silentSince(this.#before, now, now.keys()).length > 0) return;
    if (this.#before) this.#left -= 1;
    this.#before = now;
  }
}

function warningAbout([first = '', ...more]: readonly string[]): Warning {
  const names = [first, ...more].join(', ');
  const command = `nova-ctl status ${first}`;
  return {
    warning: { en: `Not ready yet: ${names}. See: ${command}`, ru: `Ещё не готовы: ${names}. Смотрите: ${command}` },
  };
}
