import type { Health } from '@nova-platform/contracts/universe/client';
import { expect, test } from 'vitest';
import { clusters, clustersReady } from './clusters.ts';

type Seen = Pick<Health, 'state' | 'leases'>;

/** Universe with clusters of this health, one for each request. The last one stays. */
function universe(seen: Record<string, Seen[]>) {
  const client = {
    listClusters: async () => ({ clusters: Object.keys(seen).map((name) => ({ name })) }),
    clusterHealth: async ({ params: { cluster } }: { params: { cluster: string } }) => {
      const left = seen[cluster] ?? [];
      return left.length > 1 ? left.shift() : left[0];
    },
  };
  return client as unknown as Parameters<typeof clustersReady>[0];
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
/** A cluster whose node and leader renewed their leases at these seconds. */
const seen = (state: Health['state'], node: number, leader = node): Seen => ({
  state,
  leases: { 'demo-main-1': at(node), 'kube-scheduler': at(leader) },
});

/** What was reported while clusters were waited for, and those that do not work in the end. */
async function waitedFor(states: Record<string, Seen[]>, within = 60_000) {
  const reports: unknown[] = [];
  const broken = await clustersReady(universe(states), (line) => reports.push(line), { every: 1, within });
  return { reports, broken };
}

test('after a start, clusters are waited for until they are ready, stopped or being changed', async () => {
  const demo = [seen('failed', 1), seen('degraded', 2), seen('ready', 3)];
  expect(
    await waitedFor({ demo, off: [{ state: 'stopped' }], other: [{ state: 'failed' }, { state: 'changing' }] }),
  ).toEqual({ reports: ['demo, other', 'demo'], broken: [] });
});

test('a cluster that only looks ready, from leases before the stop, is waited for', async () => {
  const demo = [
    seen('ready', 1),
    seen('ready', 1),
    // The node has reported, but not yet its pods; the leader is still the one from before.
    seen('ready', 9, 1),
    seen('degraded', 9, 9),
    seen('ready', 13, 9),
    seen('ready', 13, 11),
  ];
  expect(await waitedFor({ demo })).toEqual({ reports: Array.from({ length: 5 }, () => 'demo'), broken: [] });
});

test('a cluster that stays broken does not fail the start, but is reported', async () => {
  expect((await waitedFor({ demo: [seen('degraded', 1)] }, 20)).broken).toEqual(['demo']);
  expect((await waitedFor({ demo: [seen('ready', 1)], off: [{ state: 'stopped' }] }, 20)).broken).toEqual(['demo']);
});

test('without a start, nothing is waited for', async () => {
  const step = clusters(
    () => universe({ demo: [{ state: 'failed' }] }),
    () => false,
  );
  expect(await step.run(() => undefined)).toBe(false);
});
