import { initialMembersFile } from '@nova-platform/catalog';
import { startTestManager, type TestManager } from '@nova-platform/config-manager/testing/manager';
import { Providers } from '@nova-platform/infra';
import { memoryProvider } from '@nova-platform/infra/testing';
import type { OperationKind } from '@nova-platform/operations';
import type { ClusterPlan } from '@nova-platform/plan';
import { plan as planned } from '@nova-platform/plan/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClusterConnections } from './connections.ts';
import type { ClusterTools } from './operation.ts';
import { clusterOperations } from './operations.ts';
import { sealedSecrets } from './steps/approve.ts';

// A real Configuration Manager and a provider in memory. Machines do not run, so the API of the cluster is unreachable.

const planWith = (config: object): ClusterPlan =>
  planned({
    nodeGroups: [
      { name: 'cp', roles: ['control-plane', 'infra'] },
      { name: 'work', roles: ['ingress', 'worker'], count: 2 },
    ],
    config: { nodeNetwork: '127.0.8.0/24', ...config },
  });
const plan = planWith({});
const removed: string[] = [];
let initialMembers: string[];
/** The cloud-init configurations of machines, in order. */
const booted: string[] = [];
let config: TestManager;
let provider: ReturnType<typeof memoryProvider>;
let kinds: ReturnType<typeof clusterOperations>;

beforeEach(async () => {
  config = await startTestManager();
  await config.approve(plan);
  provider = memoryProvider({ boot: (_machine, cloudConfig = '') => booted.push(cloudConfig), halt: () => undefined });
  removed.length = 0;
  booted.length = 0;
  initialMembers = ['demo-cp-1'];
  kinds = clusterOperations({
    infra: new Providers({ local: provider }),
    config: config.manager,
    connections: new ClusterConnections(config.manager.services.authorities),
    clusters: {
      initialMembers: async () => initialMembers,
      setInitialMembers: async (_cluster: string, members: string[]) => {
        initialMembers = members;
      },
      remove: async (cluster: string) => void removed.push(cluster),
    },
    publishNames: async () => undefined,
  } as Partial<Record<keyof ClusterTools, unknown>> as ClusterTools);
});
afterEach(() => config.remove());

/** Runs, or undoes, the steps of an operation that `isIncluded` selects, in their order. */
async function run<Input>(
  kind: OperationKind<Input>,
  input: Input,
  { isIncluded = () => true, undo = false }: { isIncluded?: (name: string) => boolean; undo?: boolean } = {},
): Promise<void> {
  const steps = kind.plan(input).filter(({ name }) => isIncluded(name));
  for (const { name, item } of undo ? steps.toReversed() : steps) {
    const step = kind.stepOf(name);
    const work = {
      operation: { id: 1, kind: kind.kind, requestedBy: 'test' },
      input,
      item,
      results: {},
      log: () => undefined,
      signal: new AbortController().signal,
    };
    await (undo ? step?.undo?.(work) : step?.run(work));
  }
}

const created = {
  plan,
  sealedSecrets: '',
  change: {
    machines: plan.nodes.map(({ name, address }) => ({ action: 'create', name, address, isControlPlane: false })),
  },
} as unknown as Parameters<typeof kinds.createCluster.plan>[0];
const isInfrastructure = (name: string) => /^(initial-members|network|machine)/.test(name);

test('a new cluster gets its network and its machines; cancelling removes them in reverse order', async () => {
  await run(kinds.createCluster, created, { isIncluded: isInfrastructure });
  expect(provider.log.splice(0)).toEqual([
    'network demo',
    'balance demo-cp-1',
    'create demo-cp-1',
    'create demo-work-1',
    'create demo-work-2',
  ]);
  await run(kinds.createCluster, created, { isIncluded: isInfrastructure, undo: true });
  expect(provider.log).toEqual(['remove demo-work-2', 'remove demo-work-1', 'remove demo-cp-1', 'remove network demo']);
});

test('creating again starts the machines that exist', async () => {
  await run(kinds.createCluster, created, { isIncluded: isInfrastructure });
  provider.log.length = 0;
  await run(kinds.createCluster, created, { isIncluded: isInfrastructure });
  expect(provider.log.filter((line) => line.startsWith('create'))).toEqual([]);
});

test('a creation with other control planes creates their machines again, with the new initial members', async () => {
  const members = ['demo-cp-1', 'demo-cp-2', 'demo-cp-3'];
  const three = planned({
    nodeGroups: [{ name: 'cp', roles: ['control-plane', 'infra', 'ingress'], count: 3 }],
    config: { nodeNetwork: '127.0.8.0/24' },
  });
  const machines = three.nodes.map(({ name, address }) => ({ action: 'create', name, address, isControlPlane: true }));
  await config.approve(three);
  await run(kinds.createCluster, { ...created, plan: three, change: { machines } } as never, {
    isIncluded: isInfrastructure,
  });
  expect(initialMembers).toEqual(members);
  provider.log.length = 0;
  booted.length = 0;

  const one = { ...three, nodes: three.nodes.slice(0, 1) };
  await config.approve(one);
  const change = {
    machines: machines.map((machine) => ({
      ...machine,
      action: machine.name === 'demo-cp-1' ? 'replace' : 'remove',
    })),
  };
  await run(kinds.createCluster, { ...created, plan: one, change } as never, { isIncluded: isInfrastructure });
  expect(initialMembers).toEqual(['demo-cp-1']);
  expect(provider.log).toEqual([
    'remove demo-cp-2',
    'remove demo-cp-3',
    'network demo',
    'balance demo-cp-1',
    'remove demo-cp-1',
    'create demo-cp-1',
  ]);
  expect(booted.join()).toContain(`content: |\n      ${initialMembersFile(one.nodes).content}`);
});

test('only previewed changes of catalogs are approved', async () => {
  const { catalogs, sealer } = config.manager.services;
  for (const { name } of plan.nodes) await catalogs.served(name, {});
  const next = planWith({ kubeProxyMode: 'iptables' });
  const states = (await catalogs.preview(next, {}))
    .filter(({ changes }) => changes.length > 0)
    .map(({ node, changes }) => ({ node, changes, isFirst: false, isBehind: false }));
  expect(states.map(({ node }) => node)).toEqual(plan.nodes.map(({ name }) => name));
  const approve = (previewed: typeof states) => {
    const change = { machines: [], documents: [], items: [], disruptions: [], catalogs: previewed };
    const input = { plan: next, change, sealedSecrets: sealedSecrets(sealer, next, {}) } as unknown as typeof created;
    return run(kinds.changeCluster, input, { isIncluded: (name) => name === 'approve' });
  };
  const versions = () => Promise.all(plan.nodes.map(async ({ name }) => (await catalogs.approved(name))?.id));
  const before = await versions();
  // The plan is approved as it was, but the catalog of a node was not previewed, or was previewed differently.
  for (const previewed of [[], states.map((each) => ({ ...each, changes: each.changes.slice(1) }))])
    await expect(approve(previewed)).rejects.toMatchObject({ problems: [{ code: 'NOVA8017' }] });
  await expect(approve([])).rejects.toThrow('New: ~ demo-cp-1: configuration: 1 changed, ');
  expect(await versions()).toEqual(before);

  await approve(states);
  const after = await versions();
  expect(after).not.toEqual(before);
  // After a crash the step runs again.
  await approve(states);
  expect(await versions()).toEqual(after);
});

test('stop stops control planes last', async () => {
  await run(kinds.createCluster, created, { isIncluded: isInfrastructure });
  provider.log.length = 0;
  await run(kinds.stopCluster, { plan });
  expect(provider.log).toEqual(['stop demo-work-1', 'stop demo-work-2', 'stop demo-cp-1']);
});

test('destroy removes everything, including machines that are in no plan', async () => {
  await run(kinds.createCluster, created, { isIncluded: isInfrastructure });
  const [stray] = provider.state.values();
  if (stray) provider.state.set('demo-stray-1', { ...stray, name: 'demo-stray-1' });
  await run(kinds.destroyCluster, { plan });
  expect([provider.state.size, provider.networkState.size]).toEqual([0, 0]);
  expect(await config.manager.services.catalogs.plans.all()).toEqual([]);
  expect(removed).toEqual(['demo']);
});
