import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, reportedProblems } from '@nova-platform/api';
import type { Operation, UniverseClient } from '@nova-platform/contracts/universe/client';
import { distroFolder } from '@nova-platform/distro';
import type { Report, Step } from '../step.ts';

export const firstClusterName = 'demo';
export const firstClusterManifest: string = join(distroFolder(), '..', 'examples', 'single.yaml');
const pollInterval = 250;

/** Creates a cluster if the site has none, and resumes the creation that an earlier run left unfinished. */
export const firstCluster = (client: () => UniverseClient): Step => ({
  title: { en: `first cluster: ${firstClusterName}`, ru: `первый кластер: ${firstClusterName}` },
  run: async (report) => {
    const operation = await startedOperation(client());
    if (operation === undefined) return false;
    await follow(client(), operation, report);
    return true;
  },
});

async function startedOperation(client: UniverseClient): Promise<Operation | undefined> {
  const { clusters } = await client.listClusters({ query: {} });
  if (clusters.length === 0) {
    const params = { cluster: firstClusterName };
    const body = { documents: await readFile(firstClusterManifest, 'utf8') };
    return (await client.declareCluster({ params, body })).operation;
  }
  const [last] = (await client.listOperations({ query: { cluster: firstClusterName, limit: 1 } })).operations;
  if (last?.kind !== 'cluster.create' || last.state === 'done' || last.state === 'cancelled') return undefined;
  return last.state === 'running' ? last : client.resumeOperation({ params: { id: last.id } });
}

async function follow(client: UniverseClient, { id }: Operation, report: Report): Promise<void> {
  for (;;) {
    const operation = await client.showOperation({ params: { id } });
    const running = operation.steps.findLast(({ state }) => state === 'running');
    if (running) report(running.title);
    if (operation.state === 'failed') throw new ProblemError(...reportedProblems(operation.failure?.problems ?? []));
    if (operation.state !== 'running') return;
    await sleep(pollInterval);
  }
}
