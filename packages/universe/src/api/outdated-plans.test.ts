import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ClusterPlan } from '@nova-platform/plan';
import { openStore } from '@nova-platform/store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { documentsOf, startTestUniverse, type TestUniverse } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface Tables {
  clusters: { name: string; plan: string };
  plans: { cluster: string; plan: Uint8Array };
  operations: { id: number; input: string };
}

const routerAddress = '172.30.0.77';
const documents = documentsOf('demo');
const params = { cluster: 'demo' };
let universe: TestUniverse;
let operation: number;

/** A plan as another release could have stored it: without services, and with an unknown field. */
function older({ services: _services, ...plan }: ClusterPlan): object {
  const network = {
    ...plan.network,
    router: { ...(plan.network as { router: object }).router, externalAddress: routerAddress },
  };
  return { ...plan, network, isLegacy: true };
}

/** Replaces the plans of the cluster in the store while Universe is stopped. */
async function storeOlderPlan(): Promise<void> {
  await universe.stop();
  const store = await openStore<Tables>({ kind: 'sqlite', file: join(universe.folder, 'data', 'universe.db') });
  const [declared] = await store.selectFrom('clusters').selectAll().execute();
  await store
    .updateTable('clusters')
    .set({ plan: JSON.stringify(older(JSON.parse(declared?.plan ?? ''))) })
    .execute();
  for (const { cluster, plan } of await store.selectFrom('plans').selectAll().execute()) {
    const changed = older(JSON.parse(gunzipSync(plan).toString()));
    await store
      .updateTable('plans')
      .set({ plan: gzipSync(JSON.stringify(changed)) })
      .where('cluster', '=', cluster)
      .execute();
  }
  for (const { id, input } of await store.selectFrom('operations').selectAll().execute()) {
    const { plan, ...rest } = JSON.parse(input) as { plan: ClusterPlan };
    await store
      .updateTable('operations')
      .set({ input: JSON.stringify({ ...rest, plan: older(plan) }) })
      .where('id', '=', id)
      .execute();
  }
  await store.destroy();
  await universe.start();
}

async function ended(started: Promise<{ operation?: { id: number } }>): Promise<number> {
  const id = (await started).operation?.id ?? 0;
  await universe.universe.parts.operations.ended(id);
  return id;
}

beforeEach(async () => {
  universe = await startTestUniverse();
  // There is no engine: the operation fails after the plan is approved.
  operation = await ended(universe.local.declareCluster({ params, body: { documents } }));
});
afterEach(() => universe.close());

test('the list marks an outdated plan and names the field', async () => {
  await storeOlderPlan();
  expect(await universe.localNodes.listPlans({})).toEqual([
    { cluster: { name: 'demo' }, isOutdated: true, field: 'services' },
  ]);
});

test('an outdated plan is shown and previewed from its documents, and keeps its addresses', async () => {
  const before = await universe.local.previewCluster({ params, body: { documents } });
  await storeOlderPlan();
  const shown = await universe.local.showCluster({ params });
  const preview = await universe.local.previewCluster({ params, body: { documents } });
  for (const { plan } of [shown, preview]) {
    expect(plan.services).toEqual(before.plan.services);
    expect(plan.nodes).toEqual(before.plan.nodes);
    expect(plan.network).toMatchObject({ router: { externalAddress: routerAddress } });
  }
  expect(preview.change.isNew).toBe(before.change.isNew);
  const other = documentsOf('other', { network: '10.21.0.0/24' });
  const { plan } = await universe.local.previewCluster({ params: { cluster: 'other' }, body: { documents: other } });
  const taken = preview.plan.nodes.map(({ externalAddress }) => externalAddress);
  expect(plan.nodes.filter(({ externalAddress }) => taken.includes(externalAddress))).toEqual([]);
});

test('an operation of another release is refused with its code, and a new one completes it', async () => {
  const destroyed = (await universe.local.destroyCluster({ params })).id;
  await universe.universe.parts.operations.ended(destroyed);
  await storeOlderPlan();
  for (const id of [operation, destroyed]) {
    const answer = await universe.sendLocally(`/api/v1/operations/${id}/resume`, { method: 'POST' });
    expect([answer.status, answer.json.code]).toEqual([409, 'NOVA8306']);
  }
  const { kind, steps } = await universe.local.destroyCluster({ params });
  expect([kind, steps.map(({ name }) => name)]).toEqual([
    'cluster.destroy',
    ['machine/demo-main-1', 'network', 'forget'],
  ]);
});
