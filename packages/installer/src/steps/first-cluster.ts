import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Module, ProblemError, reportedProblems } from '@nova-platform/api';
import type { Operation, UniverseClient } from '@nova-platform/contracts/universe/client';
import { fluxComponents } from '@nova-platform/delivery/build';
import { distroFolder } from '@nova-platform/distro';
import { isStaged, staged } from '../staged.ts';
import type { Report, Step } from '../step.ts';
import { type Publishing, publish } from './release.ts';

export const firstClusterName = 'demo';
export const firstClusterManifest: string = join(distroFolder(), '..', 'examples', 'single.yaml');
const pollInterval = 250;

/**
 * Creates a cluster if the site has none, with the modules that can be delivered now, and resumes the creation that an
 * earlier run left unfinished.
 */
export const firstCluster = (publishing: Publishing): Step => ({
  title: { en: `first cluster: ${firstClusterName}`, ru: `первый кластер: ${firstClusterName}` },
  run: async (report) => {
    const operation = await startedOperation(publishing, report);
    if (operation === undefined) return false;
    await follow(publishing.universe(), operation, report);
    return true;
  },
});

/** Delivers a module to the first cluster once its programs are built. */
export const firstClusterModule = (publishing: Publishing, { name, components }: Module): Step => ({
  title: { en: `module ${name}`, ru: `модуль ${name}` },
  run: async (report) => {
    const { builds, universe } = publishing;
    await builds.wait([...fluxComponents, ...components], report);
    const client = universe();
    const documents = await stagedDocuments(client);
    if (documents === undefined) return false;
    const last = await lastOperation(client);
    if (last?.state === 'running') await follow(client, last, report);
    const available = await publish(publishing, report);
    const params = { cluster: firstClusterName };
    const body = { documents: staged(documents, available) };
    const { operation } = await client.declareCluster({ params, body });
    if (operation) await follow(client, operation, report);
    return operation !== undefined;
  },
});

/** The documents of the first cluster, if modules are still to be added to it. */
async function stagedDocuments(client: UniverseClient): Promise<string | undefined> {
  const { clusters } = await client.listClusters({ query: {} });
  if (!clusters.some(({ name }) => name === firstClusterName)) return undefined;
  const { documents } = await client.showCluster({ params: { cluster: firstClusterName } });
  return isStaged(documents) ? documents : undefined;
}

async function startedOperation(publishing: Publishing, report: Report): Promise<Operation | undefined> {
  const client = publishing.universe();
  const { clusters } = await client.listClusters({ query: {} });
  if (clusters.length === 0) {
    const example = await readFile(firstClusterManifest, 'utf8');
    const available = await publish(publishing, report);
    const params = { cluster: firstClusterName };
    const body = { documents: available.isComplete ? example : staged(example, available) };
    return (await client.declareCluster({ params, body })).operation;
  }
  const last = await lastOperation(client);
  if (last?.kind !== 'cluster.create' || last.state === 'done' || last.state === 'cancelled') return undefined;
  return last.state === 'running' ? last : client.resumeOperation({ params: { id: last.id } });
}

async function lastOperation(client: UniverseClient): Promise<Operation | undefined> {
  const [last] = (await client.listOperations({ query: { cluster: firstClusterName, limit: 1 } })).operations;
  return last;
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
