import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '@nova-platform/api';
import type { Operation, UniverseClient } from '@nova-platform/contracts/universe/client';
import { distroFolder } from '@nova-platform/distro';
import type { Translate } from '../../language.ts';
import { problemsOf } from '../../operation-tree.ts';
import type { Step } from '../../steps.ts';

export const firstClusterName = 'demo';
const manifest = join(distroFolder(), '..', 'examples', 'single.yaml');
const pause = 250;

/** A cluster to begin with, where there is none; what an earlier attempt left unfinished is gone on with. */
export const firstCluster = (client: () => UniverseClient, t: Translate): Step => ({
  title: { en: `first cluster: ${firstClusterName}`, ru: `первый кластер: ${firstClusterName}` },
  run: async (say) => {
    const operation = await begun(client());
    if (operation === undefined) return false;
    await followed(client(), operation, (each) => say(t(each.title)));
    return true;
  },
});

/** The operation that makes it, or nothing where there is nothing to do. */
async function begun(client: UniverseClient): Promise<Operation | undefined> {
  const { clusters } = await client.listClusters({ query: {} });
  if (clusters.length === 0) {
    const params = { cluster: firstClusterName };
    const body = { documents: await readFile(manifest, 'utf8') };
    return (await client.declareCluster({ params, body })).operation;
  }
  const [last] = (await client.listOperations({ query: { cluster: firstClusterName, limit: 1 } })).operations;
  if (last?.kind !== 'cluster.create' || last.state === 'done' || last.state === 'cancelled') return undefined;
  return last.state === 'running' ? last : client.resumeOperation({ params: { id: last.id } });
}

async function followed(
  client: UniverseClient,
  { id }: Operation,
  tell: (step: Operation['steps'][number]) => void,
): Promise<void> {
  for (;;) {
    const operation = await client.showOperation({ params: { id } });
    const running = operation.steps.findLast(({ state }) => state === 'running');
    if (running) tell(running);
    if (operation.state === 'failed') throw new ProblemError(...problemsOf(operation.failure?.problems ?? []));
    if (operation.state !== 'running') return;
    await sleep(pause);
  }
}
