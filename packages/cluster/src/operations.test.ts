import { changeOf, type ObservedMachine } from '@nova-platform/change';
import type { OperationKind } from '@nova-platform/operations';
import type { ClusterPlan } from '@nova-platform/plan';
import { type Declaration, plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { type ClusterTools, clusterOperation, planned } from './operation.ts';
import { clusterOperations } from './operations.ts';
import { api } from './steps/api.ts';

// Only the lists are used: no step runs.
const { createCluster, changeCluster, startCluster, stopCluster, destroyCluster } = clusterOperations(
  {} as ClusterTools,
);

const cluster = (controlPlanes: number, workers: number, memory = '4Gi'): ClusterPlan =>
  plan({
    nodeGroups: [
      { name: 'cp', roles: ['control-plane', 'infra'], count: controlPlanes, memory: '2Gi' },
      { name: 'work', roles: ['ingress', 'worker'], count: workers, memory },
    ],
    config: { modules: [{ name: 'ingress' }] },
  } as Declaration);

/** The input of the operation that leads from one plan to another, while all machines of the first one run. */
function approved(current: ClusterPlan | undefined, next: ClusterPlan, machines = machinesOf(current)) {
  const change = changeOf({
    plan: next,
    current,
    isNew: current === undefined,
    documents: [],
    catalogs: next.nodes.map(({ name }) => ({ node: name, changes: [], isSeen: true, isCurrent: false })),
    observed: { machines, processors: 8, canLimitDisks: true, hasKvm: false },
    objects: { before: [], after: [] },
  });
  return { plan: next, change, sealedSecrets: '' };
}

const machinesOf = (current: ClusterPlan | undefined): ObservedMachine[] =>
  (current?.nodes ?? []).map(({ name, address, cpu, memory, disk }) => ({
    name,
    kind: 'container',
    address,
    state: 'running',
    cpu,
    memory,
    disk,
    isDiskLimited: true,
    isLost: false,
  }));

/** Each step with the steps that it waits for. */
function stepsOf<Input>(kind: OperationKind<Input>, input: Input): string[] {
  return kind.plan(input).map(({ name, after }) => `${name} ← ${after.join(', ')}`);
}

test('the steps of a new cluster', () => {
  expect(stepsOf(createCluster, approved(undefined, cluster(1, 1)))).toMatchInlineSnapshot(`
    [
      "initial-members ← ",
      "approve ← initial-members",
      "network ← initial-members",
      "machine/demo-cp-1 ← approve, network",
      "machine/demo-work-1 ← approve, network",
      "configure/demo-cp-1 ← machine/demo-cp-1, machine/demo-work-1",
      "configure/demo-work-1 ← machine/demo-cp-1, machine/demo-work-1",
      "api ← machine/demo-cp-1, machine/demo-work-1",
      "objects ← machine/demo-cp-1, machine/demo-work-1",
      "flux ← api, objects",
      "source ← flux",
      "modules ← source",
      "module/local-path ← modules",
      "module/ingress ← modules",
      "module/nova-dns ← modules",
      "ready ← configure/demo-cp-1, configure/demo-work-1, api, objects",
      "hand-over ← ready",
    ]
  `);
});

test('a repeated creation resizes and removes machines of the first attempt', () => {
  const left = machinesOf(cluster(1, 2, '4Gi'));
  const names = createCluster.plan(approved(undefined, cluster(1, 1, '8Gi'), left)).map(({ name }) => name);
  expect(names.filter((name) => /^(machine|resize|restart|remove)/.test(name))).toMatchInlineSnapshot(`
    [
      "resize/demo-work-1",
      "remove/demo-work-2",
    ]
  `);
});

test('the steps of a cluster that grows by two control planes and a worker', () => {
  expect(stepsOf(changeCluster, approved(cluster(1, 1), cluster(3, 2)))).toMatchInlineSnapshot(`
    [
      "approve ← ",
      "lock ← approve",
      "network ← lock",
      "machine/demo-cp-2 ← network",
      "machine/demo-cp-3 ← network",
      "machine/demo-work-2 ← network",
      "configure/demo-work-2 ← machine/demo-cp-2, machine/demo-cp-3, machine/demo-work-2",
      "configure/demo-work-1 ← machine/demo-cp-2, machine/demo-cp-3, machine/demo-work-2",
      "members ← machine/demo-cp-2, machine/demo-cp-3, machine/demo-work-2",
      "control-plane/demo-cp-2 ← members",
      "control-plane/demo-cp-3 ← control-plane/demo-cp-2",
      "control-plane/demo-cp-1 ← control-plane/demo-cp-3",
      "api ← control-plane/demo-cp-2, control-plane/demo-cp-3, control-plane/demo-cp-1",
      "objects ← api",
      "flux ← objects",
      "source ← flux",
      "modules ← source",
      "module/local-path ← modules",
      "module/ingress ← modules",
      "module/nova-dns ← modules",
      "ready ← configure/demo-work-2, configure/demo-work-1, objects",
      "leave ← ready",
      "hand-over ← leave",
    ]
  `);
});

test('the steps of a cluster that shrinks and gives its workers less memory', () => {
  expect(stepsOf(changeCluster, approved(cluster(3, 2, '8Gi'), cluster(1, 1, '4Gi')))).toMatchInlineSnapshot(`
    [
      "approve ← ",
      "lock ← approve",
      "network ← lock",
      "configure/demo-work-1 ← network",
      "members ← network",
      "control-plane/demo-cp-1 ← members",
      "api ← control-plane/demo-cp-1",
      "objects ← api",
      "flux ← objects",
      "source ← flux",
      "modules ← source",
      "module/local-path ← modules",
      "module/ingress ← modules",
      "module/nova-dns ← modules",
      "ready ← configure/demo-work-1, objects",
      "restart/demo-work-1 ← ready",
      "drain/demo-cp-2 ← restart/demo-work-1",
      "drain/demo-cp-3 ← restart/demo-work-1",
      "drain/demo-work-2 ← restart/demo-work-1",
      "leave ← drain/demo-cp-2, drain/demo-cp-3, drain/demo-work-2",
      "remove/demo-cp-2 ← leave",
      "remove/demo-cp-3 ← leave",
      "remove/demo-work-2 ← leave",
      "hand-over ← remove/demo-cp-2, remove/demo-cp-3, remove/demo-work-2",
    ]
  `);
});

test('the steps of start, stop and destroy', () => {
  const input = { plan: cluster(1, 1) };
  expect(stepsOf(startCluster, input)).toMatchInlineSnapshot(`
    [
      "network ← ",
      "control-plane/demo-cp-1 ← network",
      "members ← control-plane/demo-cp-1",
      "api ← members",
      "machine/demo-work-1 ← api",
      "ready ← machine/demo-work-1",
    ]
  `);
  expect(stepsOf(stopCluster, input)).toMatchInlineSnapshot(`
    [
      "machine/demo-work-1 ← ",
      "control-plane/demo-cp-1 ← machine/demo-work-1",
    ]
  `);
  expect(stepsOf(destroyCluster, input)).toMatchInlineSnapshot(`
    [
      "machine/demo-cp-1 ← ",
      "machine/demo-work-1 ← ",
      "network ← machine/demo-cp-1, machine/demo-work-1",
      "forget ← network",
    ]
  `);
});

test('a step that waits for a step not before it is refused', () => {
  const options = { kind: 'cluster.test', title: api.title, input: planned };
  expect(() => clusterOperation(options, [{ ...api, after: ['machine'] }])).toThrow(
    'step api waits for machine, which is not before it',
  );
});
