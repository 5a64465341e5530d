import type { ClusterPlan } from '@nova-platform/plan';
import { type Declaration, plan as planOf } from '@nova-platform/plan/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChangeInput, changeOf, digestOf, type ObservedMachine } from './compute.ts';
import type { Change } from './schema.ts';
import { isEmpty, summaryOf, viewOf } from './view.ts';

const roles = ['control-plane', 'infra', 'ingress', 'worker'] as const;

interface Sizes {
  machineKind?: 'container' | 'vm';
  workers?: number;
  cpu?: number;
  memory?: string;
  disk?: string;
  labels?: Record<string, string>;
}

function declared(
  { machineKind, workers = 1, cpu = 2, memory = '2Gi', disk = '20Gi', labels = {} }: Sizes = {},
  more: Declaration = {},
): ClusterPlan {
  const plan = planOf({
    nodeGroups: [
      { name: 'main', roles: [...roles] },
      {
        name: 'work',
        roles: ['worker'],
        count: workers,
        cpu,
        memory,
        disk,
        labels,
        ...(machineKind && { machineKind }),
      },
    ],
    ...more,
  });
  return JSON.parse(JSON.stringify(plan)) as ClusterPlan;
}

const host = { processors: 8, canLimitDisks: true, hasKvm: true };

/** The machines of a plan once it is applied. */
function machinesOf({ nodes }: ClusterPlan): ObservedMachine[] {
  return nodes.map(({ name, machineKind = 'container', address, cpu, memory, disk }) => ({
    name,
    kind: machineKind,
    address,
    cpu,
    memory,
    disk,
    isDiskLimited: true,
    state: 'running',
    isLost: false,
  }));
}

/** The change from a cluster that matches its plan to another plan. */
function between(current: ClusterPlan | undefined, plan: ClusterPlan, more: Partial<ChangeInput> = {}): Change {
  return changeOf({
    plan,
    current,
    isNew: current === undefined,
    documents: [],
    catalogs: plan.nodes.map(({ name }) => ({
      node: name,
      changes: [],
      isSeen: current?.nodes.some((node) => node.name === name) === true,
      isCurrent: true,
    })),
    observed: { machines: current ? machinesOf(current) : [], ...host },
    objects: { before: [], after: [] },
    ...more,
  });
}

const actions = ({ machines }: Change) => machines.map(({ action, name }) => `${action} ${name}`);

test('a cluster that matches its declaration needs no changes', () => {
  const change = between(declared(), declared());
  expect(isEmpty(change)).toBe(true);
  expect(viewOf(change)).toEqual([]);
  expect(summaryOf(change).en).toBe('nothing');
});

describe('machines', () => {
  test('are created and removed with node groups', () => {
    expect(actions(between(undefined, declared()))).toEqual(['create demo-main-1', 'create demo-work-1']);
    expect(actions(between(declared(), declared({ workers: 2 })))).toEqual(['create demo-work-2']);
    const fewer = between(declared({ workers: 2 }), declared());
    expect(actions(fewer)).toEqual(['remove demo-work-2']);
    expect(fewer.disruptions).toMatchObject([{ kind: 'drain', node: 'demo-work-2' }]);
  });

  test('are removed if they are in no plan', () => {
    const [stray] = machinesOf(declared({ workers: 3 })).slice(-1);
    const machines = [...machinesOf(declared()), ...(stray ? [stray] : [])];
    const change = between(declared(), declared(), { observed: { machines, ...host } });
    expect(actions(change)).toEqual(['remove demo-work-3']);
  });

  test('are started if stopped, and replaced if lost or being deleted', () => {
    const machines = machinesOf(declared({ workers: 2 })).map((machine, index) => ({
      ...machine,
      ...(index === 0 && { state: 'stopped' as const }),
      ...(index === 1 && { isLost: true }),
      ...(index === 2 && { state: 'deleting' as const }),
    }));
    const plan = declared({ workers: 2 });
    const change = between(plan, plan, { observed: { machines, ...host } });
    expect(actions(change)).toEqual(['start demo-main-1', 'replace demo-work-1', 'replace demo-work-2']);
  });

  test('grow while they run, and restart for less memory', () => {
    const more = between(declared(), declared({ cpu: 4, memory: '4Gi' }));
    expect(more.machines).toMatchObject([
      {
        action: 'resize',
        name: 'demo-work-1',
        isLive: true,
        fields: [
          { name: 'cpu', before: 2, after: 4 },
          { name: 'memory', before: '2Gi', after: '4Gi' },
        ],
      },
    ]);
    expect(summaryOf(more)).toEqual({
      en: '~ demo-work-1: resized without a restart: CPU 2 → 4, memory 2 GiB → 4 GiB',
      ru: '~ demo-work-1: изменение размера без перезапуска: CPU 2 → 4, память 2 ГиБ → 4 ГиБ',
    });
    expect(more.disruptions).toEqual([]);
    const less = between(declared(), declared({ memory: '1Gi' }));
    expect(less.machines).toMatchObject([{ action: 'resize', isLive: false }]);
    expect(less.disruptions.map(({ kind, node }) => `${kind} ${node}`)).toEqual([
      'drain demo-work-1',
      'restart demo-work-1',
    ]);
  });

  test('are compared by amount, in any notation', () => {
    const machines = machinesOf(declared()).map((machine) => ({
      ...machine,
      memory: machine.memory === '2Gi' ? '2048Mi' : machine.memory,
    }));
    expect(machines.map(({ memory }) => memory)).toContain('2048Mi');
    const change = between(declared(), declared(), { observed: { machines, ...host } });
    expect(actions(change)).toEqual([]);
  });

  test.each([
    ['4G', '3815Mi', '20G', '19074Mi'],
    ['1500M', '1431Mi', '1T', '953675Mi'],
    ['2e9', '1908Mi', '30.5Gi', '31232Mi'],
    ['2.5G', '2385Mi', '123456789Ki', '120564Mi'],
  ])('of %s are not resized if the provider stores whole mebibytes', (memory, storedMemory, disk, storedDisk) => {
    const plan = declared({ memory, disk });
    const machines = machinesOf(plan).map((machine) =>
      machine.memory === memory ? { ...machine, memory: storedMemory, disk: storedDisk } : machine,
    );
    expect(machines.map((machine) => machine.memory)).toContain(storedMemory);
    expect(isEmpty(between(plan, plan, { observed: { machines, ...host } }))).toBe(true);
  });

  test('are reported if they request more processors than the host has', () => {
    const change = between(undefined, declared({ cpu: 4 }), { observed: { ...host, machines: [], processors: 2 } });
    expect(change.machines).toMatchObject([{}, { name: 'demo-work-1', offeredCpu: 2 }]);
    expect(summaryOf(change).en).toContain('! demo-work-1: CPU capacity 2');
  });
});

describe('VMs', () => {
  const vms = (sizes: Sizes = {}) => declared({ machineKind: 'vm', ...sizes });
  const emulated = { ...host, hasKvm: false };

  test('are shown as VMs, with a warning if the host has no KVM', () => {
    const change = between(undefined, vms(), { observed: { ...emulated, machines: [] } });
    expect(change.machines).toMatchObject([
      { name: 'demo-main-1', machineKind: 'container' },
      { name: 'demo-work-1', machineKind: 'vm', isEmulated: true },
    ]);
    const { en, ru } = summaryOf(change);
    expect(en).toContain('+ demo-main-1: container, 2 CPU, 4 GiB memory, 40 GiB disk; + demo-work-1: VM, 2 CPU');
    expect(en).toContain('! demo-work-1: emulated: the host has no KVM, about twenty times slower');
    expect(ru).toContain('! demo-work-1: эмуляция: на хосте нет KVM, примерно в двадцать раз медленнее');
    const fast = between(undefined, vms());
    expect(fast.machines.filter((machine) => 'isEmulated' in machine)).toEqual([]);
    expect(summaryOf(fast).en).not.toContain('emulated');
  });

  test('restart for less memory, for fewer processors and for more than the host has', () => {
    for (const size of [{ cpu: 1 }, { memory: '1Gi' }, { cpu: 16 }]) {
      const change = between(vms(), vms(size));
      expect(change.machines).toMatchObject([{ action: 'resize', name: 'demo-work-1', isLive: false }]);
      expect(summaryOf(change).en).toContain('~ demo-work-1: resized with a restart');
      expect(change.disruptions).toMatchObject([
        { kind: 'drain', node: 'demo-work-1', seconds: 120 },
        { kind: 'restart', node: 'demo-work-1', seconds: 300 },
      ]);
    }
  });

  test('grow while they run', () => {
    for (const size of [{ cpu: 8 }, { memory: '4Gi' }, { disk: '40Gi' }])
      expect(between(vms(), vms(size)).machines).toMatchObject([{ action: 'resize', isLive: true }]);
  });

  test('can have more processors than the host', () => {
    expect(summaryOf(between(undefined, vms({ cpu: 16 }))).en).not.toContain('CPU capacity');
  });

  test('may take twenty times as long to drain and to restart on emulated processors', () => {
    const observed = { ...emulated, machines: machinesOf(vms()) };
    const change = between(vms(), vms({ cpu: 1 }), { observed });
    expect(change.disruptions.map(({ seconds }) => seconds)).toEqual([2400, 6000]);
    expect(between(vms(), vms({ workers: 0 }), { observed }).disruptions).toMatchObject([{ seconds: 2400 }]);
  });

  test('that run with an older size until their restart are restarted', () => {
    const machines = machinesOf(vms()).map((machine) => ({
      ...machine,
      ...(machine.kind === 'vm' && { untilRestart: { cpu: 1, memory: '2048Mi' } }),
    }));
    const change = between(vms(), vms(), { observed: { ...host, machines } });
    expect(change.machines).toMatchObject([
      { name: 'demo-work-1', isLive: false, fields: [{ name: 'cpu', before: 1, after: 2 }] },
    ]);
  });

  test('have disks of a fixed size on every host', () => {
    const observed = { ...host, canLimitDisks: false, machines: [] };
    expect(
      between(undefined, vms(), { observed }).machines.map((each) => 'size' in each && each.isDiskEnforced),
    ).toEqual([false, true]);
  });
});

describe('disks', () => {
  const without = (plan: ClusterPlan) => machinesOf(plan).map((machine) => ({ ...machine, isDiskLimited: false }));
  const unlimited = (machines: ObservedMachine[] = []) => ({ ...host, canLimitDisks: false, machines });
  const note = 'disk not enforced on this host';

  test('of new machines are reported if the host cannot limit them', () => {
    const change = between(undefined, declared(), { observed: unlimited() });
    expect(change.machines).toMatchObject([{ isDiskEnforced: false }, { isDiskEnforced: false }]);
    expect(summaryOf(change).en).toContain(`! demo-main-1, demo-work-1: ${note}`);
    expect(summaryOf(between(undefined, declared())).en).not.toContain(note);
  });

  test('that grow on a machine without a limit are reported, even if the host can limit disks now', () => {
    const plan = declared({ disk: '40Gi' });
    const change = between(declared(), plan, { observed: { ...host, machines: without(declared()) } });
    expect(change.machines).toMatchObject([{ action: 'resize', name: 'demo-work-1', isDiskEnforced: false }]);
    expect(summaryOf(change).en).toContain(`! demo-work-1: ${note}`);
    expect(summaryOf(between(declared(), plan)).en).not.toContain(note);
    expect(
      summaryOf(between(declared(), declared({ cpu: 4 }), { observed: unlimited(without(declared())) })).en,
    ).not.toContain(note);
  });

  test('of replaced machines have the limits of the host', () => {
    const machines = without(declared()).map((machine) => ({ ...machine, isLost: machine.name === 'demo-work-1' }));
    const change = between(declared(), declared(), { observed: unlimited(machines) });
    expect(change.machines).toMatchObject([{ action: 'replace', isDiskEnforced: false }]);
    expect(summaryOf(change).en).toContain(`! demo-work-1: ${note}`);
  });
});

test('without a provider, nodes are configured and nothing else changes', () => {
  const change = between(declared({ workers: 2 }), declared({ workers: 1 }), { observed: undefined });
  expect(change.machines).toEqual([]);
  expect([...new Set(change.items.map(({ kind }) => kind))]).toEqual(['node', 'certificate']);
  expect(summaryOf(change).en).toContain('− demo-work-2: no longer configured; its machine is not changed');
  expect(change.disruptions).toEqual([]);
});

test('a change of labels belongs to the node, a change of size to its machine', () => {
  const change = between(declared(), declared({ labels: { tier: 'gold' }, cpu: 4 }));
  expect(change.items).toMatchObject([{ kind: 'node', id: 'demo-work-1', fields: [{ name: 'labels' }] }]);
});

test('the API is unavailable during a restart only if the cluster has one control plane', () => {
  const restarted = { kind: 'refreshed' as const, resource: 'Service[kube-apiserver]', by: ['File[/etc/x]'] };
  const catalogs = (plan: ClusterPlan) =>
    plan.nodes.map(({ name }, index) => ({
      node: name,
      changes: index === 0 ? [restarted] : [],
      isSeen: true,
      isCurrent: true,
    }));
  const one = declared();
  expect(between(one, one, { catalogs: catalogs(one) }).disruptions.map(({ kind }) => kind)).toEqual([
    'services',
    'api',
  ]);
  const three = declared({}, { nodeGroups: [{ name: 'main', roles: [...roles], count: 3 }] });
  expect(between(three, three, { catalogs: catalogs(three) }).disruptions.map(({ kind }) => kind)).toEqual([
    'services',
  ]);
});

test('a node behind its approved catalog is configured again, a new node for the first time', () => {
  const plan = declared({ workers: 2 });
  const change = between(declared(), plan, {
    catalogs: plan.nodes.map(({ name }) => ({
      node: name,
      changes: [],
      isSeen: name !== 'demo-work-2',
      isCurrent: false,
    })),
  });
  expect(change.catalogs.map(({ node, isFirst, isBehind }) => [node, isFirst, isBehind])).toEqual([
    ['demo-main-1', false, true],
    ['demo-work-1', false, true],
    ['demo-work-2', true, false],
  ]);
});

test('Kubernetes objects are compared one by one', () => {
  const object = (name: string, data: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
  const objects = { before: [object('a', '1'), object('b', '1')], after: [object('b', '2'), object('c', '1')] };
  const { items } = between(declared(), declared(), { objects });
  expect(items.map(({ action, id }) => `${action} ${id}`)).toEqual([
    'change ConfigMap b',
    'add ConfigMap c',
    'remove ConfigMap a',
  ]);
});

test('the digest covers the plan, every part of the change and the secrets', () => {
  const digests = [
    digestOf(declared(), between(declared(), declared()), ''),
    digestOf(declared(), between(undefined, declared()), ''),
    digestOf(declared({ workers: 2 }), between(declared(), declared({ workers: 2 })), ''),
    digestOf(declared(), between(declared(), declared(), { unfinished: 3 }), ''),
    digestOf(declared(), between(declared(), declared(), { documents: [{ name: 'x', after: '1' }] }), ''),
    digestOf(declared(), between(declared(), declared()), 'other'),
  ];
  expect(new Set(digests).size).toBe(digests.length);
});

describe('between any two manifests', () => {
  const sizes = fc.record({
    machineKind: fc.constantFrom('container' as const, 'vm' as const),
    workers: fc.integer({ min: 0, max: 5 }),
    cpu: fc.integer({ min: 2, max: 8 }),
    memory: fc.constantFrom('2Gi', '2048Mi', '3Gi', '4Gi', '1536Mi'),
    labels: fc.constantFrom({}, { tier: 'gold' }, { tier: 'silver', zone: 'a' }),
  });

  test('the applied change leads to the second plan, from which nothing changes', () => {
    fc.assert(
      fc.property(sizes, sizes, (one, size) => {
        const current = declared(one);
        // Rules refuse another kind.
        const other = { ...size, machineKind: one.machineKind };
        const plan = planOfNext(other, current);
        const change = between(current, plan);
        const done = applied(change, machinesOf(current));
        expect(done.map(({ name }) => name).toSorted()).toEqual(plan.nodes.map(({ name }) => name).toSorted());
        expect(isEmpty(between(plan, plan, { observed: { machines: done, ...host } }))).toBe(true);
        // The view shows every listed change.
        const shown = viewOf(change).flatMap(({ lines }) => lines.flatMap(({ subjects }) => subjects));
        for (const { name } of change.machines) expect(shown).toContain(name);
      }),
      { numRuns: 100 },
    );
  });

  /** Remaining nodes keep their addresses. */
  function planOfNext(next: Sizes, current: ClusterPlan): ClusterPlan {
    const { machineKind = 'container', workers = 1, cpu = 2, memory = '2Gi', labels = {} } = next;
    const plan = planOf(
      {
        nodeGroups: [
          { name: 'main', roles: [...roles] },
          { name: 'work', roles: ['worker'], count: workers, cpu, memory, labels, machineKind },
        ],
      },
      { current },
    );
    return JSON.parse(JSON.stringify(plan)) as ClusterPlan;
  }

  /** The machines after a change is applied. */
  function applied({ machines }: Change, before: readonly ObservedMachine[]): ObservedMachine[] {
    const after = new Map(before.map((machine) => [machine.name, machine]));
    for (const each of machines) {
      const { name, address } = each;
      if (each.action === 'remove') after.delete(name);
      else if (each.action !== 'start') {
        const kind = after.get(name)?.kind ?? each.machineKind ?? 'container';
        after.set(name, { name, kind, address, ...each.size, isDiskLimited: true, state: 'running', isLost: false });
      }
    }
    return [...after.values()];
  }
});
