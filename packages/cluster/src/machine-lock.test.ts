import { KubernetesError, type KubernetesObject, machinesLock } from '@nova-platform/kubernetes';
import { plan as planOf } from '@nova-platform/plan/testing';
import { describe, expect, test } from 'vitest';
import { type ClusterTools, clusterOperations } from './index.ts';
import { handOverAndUnlock } from './steps/hand-over.ts';
import { lock } from './steps/lock.ts';

const plan = planOf();
const holder = { id: 'a1', operation: 'tofu apply', who: 'ann@laptop', created: '2026-11-15T10:00:00Z' };
const ours = { id: 7, kind: 'cluster.change', requestedBy: 'ann' };
const theirs = { ...machinesLock(ours), spec: holder };
const refused = { problems: [{ code: 'NOVA8373', params: { cluster: 'demo', who: 'ann@laptop' } }] };

/** The objects of a cluster's API, in memory. */
function clusterWith(...objects: KubernetesObject[]) {
  const stored = new Map(objects.map((object) => [object.kind, object]));
  const api = {
    get: async () => {
      const found = stored.get('TerraformLock');
      if (!found) throw new KubernetesError(404, 'not found');
      return found;
    },
    create: async (_path: string, object: KubernetesObject) => {
      if (stored.has(object.kind)) throw new KubernetesError(409, 'already exists');
      stored.set(object.kind, object);
    },
    apply: async (object: KubernetesObject) => void stored.set(object.kind, object),
    remove: async ({ kind }: KubernetesObject) => void stored.delete(kind),
  };
  const tools = {
    connections: { withApi: async (_plan: unknown, work: (api: unknown) => unknown) => work(api) },
    infra: { of: () => ({ machines: { observe: async () => [] } }) },
  } as unknown as ClusterTools;
  const context = { ...tools, plan, operation: ours, log: () => undefined } as never;
  return { tools, context, stored, api };
}

describe('machines that another holder has locked', () => {
  test('are not changed by any operation, neither at its start nor when it resumes', async () => {
    const { tools } = clusterWith(theirs);
    const { runAgents: _changesNoMachines, ...kinds } = clusterOperations(tools);
    for (const [name, kind] of Object.entries(kinds)) {
      const allowed = (kind.assertAllowed as (input: object) => Promise<void>)({ plan });
      await expect(allowed, name).rejects.toMatchObject(refused);
    }
  });

  test('stay locked by a holder that takes the lock between the check and the lock of the operation', async () => {
    const { context, stored, api } = clusterWith();
    const { get } = api;
    api.get = async () => {
      api.get = get;
      // The check finds no lock, and right after it there is one.
      const checked = get();
      stored.set(theirs.kind, theirs);
      return checked;
    };
    await expect(lock.run(context)).rejects.toMatchObject(refused);
    expect(stored.get('TerraformLock')).toBe(theirs);
  });

  test('stay locked by that holder, even if the lock was taken while the operation ran', async () => {
    const { context, stored } = clusterWith(theirs);
    await expect(lock.run(context)).rejects.toMatchObject(refused);
    await lock.undo?.(context);
    await handOverAndUnlock.run(context);
    expect(stored.get('TerraformLock')).toBe(theirs);
  });
});

test('a repeated step keeps the lock of its own operation', async () => {
  const { context, stored } = clusterWith();
  await lock.run(context);
  await lock.run(context);
  expect(stored.get('TerraformLock')).toMatchObject({ spec: { id: '7' } });
});

test('the lock of an operation of Universe is taken over and released', async () => {
  const { tools, context, stored } = clusterWith(machinesLock({ ...ours, id: 6 }));
  await clusterOperations(tools).changeCluster.assertAllowed({ plan } as never);
  await lock.run(context);
  expect(stored.get('TerraformLock')).toMatchObject({ spec: { id: '7' } });
  await handOverAndUnlock.run(context);
  expect(stored.has('TerraformLock')).toBe(false);
});
