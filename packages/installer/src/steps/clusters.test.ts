import type { Health } from '@nova-platform/contracts/universe/client';
import { expect, test } from 'vitest';
import { clusters, clustersReady } from './clusters.ts';

/** Universe with clusters that have these states, one for each request. The last one stays. */
function universe(states: Record<string, Health['state'][]>) {
  const client = {
    listClusters: async () => ({ clusters: Object.keys(states).map((name) => ({ name })) }),
    clusterHealth: async ({ params: { cluster } }: { params: { cluster: string } }) => {
      const left = states[cluster] ?? [];
      return { state: left.length > 1 ? left.shift() : left[0] };
    },
  };
  return client as unknown as Parameters<typeof clustersReady>[0];
}

test('after a start, clusters are waited for until they are ready, stopped or being changed', async () => {
  const reports: unknown[] = [];
  const client = universe({ demo: ['failed', 'degraded', 'ready'], off: ['stopped'], other: ['failed', 'changing'] });
  await clustersReady(client, (line) => reports.push(line), { every: 1, within: 60_000 });
  expect(reports).toEqual(['demo, other', 'demo']);
});

test('a cluster that stays broken does not fail the start', async () => {
  await clustersReady(universe({ demo: ['degraded'] }), () => undefined, { every: 1, within: 20 });
});

test('without a start, nothing is waited for', async () => {
  const step = clusters(
    () => universe({ demo: ['failed'] }),
    () => false,
  );
  expect(await step.run(() => undefined)).toBe(false);
});
