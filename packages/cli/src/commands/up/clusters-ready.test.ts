import type { Health, UniverseClient } from '@nova-platform/contracts/universe/client';
import { expect, test } from 'vitest';
import { clustersReady } from './clusters-ready.ts';

/** A Universe with one cluster that has these states, one after the other. */
function universe(...states: Partial<Health>[]) {
  const left = [...states];
  const client = {
    listClusters: async () => ({ clusters: [{ name: 'demo' }] }),
    clusterHealth: async () => ({ nodes: [], findings: [], ...(left.length > 1 ? left.shift() : left[0]) }),
  } as unknown as UniverseClient;
  return { client: () => client, left };
}
const run = (client: () => UniverseClient, within = 1000) =>
  clustersReady(client, { every: 1, within }).run(() => undefined);

test('up waits until the nodes of clusters are ready', async () => {
  const nodes = (isReady: boolean) => [{ isReady }] as Health['nodes'];
  const { client, left } = universe(
    { state: 'failed', nodes: nodes(false) },
    { state: 'degraded', nodes: nodes(true), findings: [{ severity: 'error', chain: [] }] },
    { state: 'ready', nodes: nodes(true) },
  );
  expect(await run(client)).toBe(true);
  expect(left).toHaveLength(1);
});

test.each(['ready', 'stopped', 'changing'] as const)('up does not wait for a cluster that is %s', async (state) => {
  expect(await run(universe({ state, nodes: [{ isReady: false }] as Health['nodes'] }).client)).toBe(false);
});

test('up gives up on a cluster that stays broken', async () => {
  expect(await run(universe({ state: 'failed', nodes: [{}] as Health['nodes'] }).client, 20)).toBe(true);
});
