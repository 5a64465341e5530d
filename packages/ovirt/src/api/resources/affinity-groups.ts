import { randomUUID } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import { accept, flag, group, listOf, named, text } from '../accept.ts';
import type { Call, Vm } from '../call.ts';
import { clusterId } from '../ids.ts';
import type { RecordKinds } from '../records.ts';
import { empty, notFound, type Resource, reference } from '../resource.ts';

const word = { en: 'affinity group', ru: 'группа размещения' };

interface AffinityGroup {
  id: string;
  group: RecordKinds['affinityGroup'];
}

const rule = group({ enabled: flag.optional(), positive: flag.optional(), enforcing: flag.optional() });

const rules = {
  fields: {
    name: text(255).min(1).optional(),
    description: text().optional(),
    positive: flag.optional(),
    enforcing: flag.optional(),
    vms_rule: rule.optional(),
    vms: listOf('vm', named),
  },
  fixed: { 'hosts_rule.enabled': 'false', priority: '1.0', broken: 'false' },
  readOnly: ['id', 'cluster', 'hosts', 'hosts_rule.positive', 'hosts_rule.enforcing'],
};

/** Kept, and without effect: there is one host. */
export const affinityGroups: Resource<AffinityGroup, unknown> = {
  path: 'affinitygroups',
  element: 'affinity_group',
  elements: 'affinity_groups',
  kind: word,
  id: ({ id }) => id,
  list: async (call) => [...call.records.all('affinityGroup')].map(([id, each]) => ({ id, group: each })),
  show: ({ group: { name, description, isPositive, isEnforcing, vms } }) => ({
    name,
    description: description ?? '',
    positive: isPositive,
    enforcing: isEnforcing,
    broken: false,
    priority: 1.0,
    vms_rule: { enabled: true, positive: isPositive, enforcing: isEnforcing },
    hosts_rule: { enabled: false, positive: false, enforcing: false },
    cluster: reference('clusters', clusterId),
    vms: { vm: vms.map((id) => reference('vms', id)) },
  }),
  add: async (call, body) => {
    const given = accept('affinity_group', body, rules);
    if (given.name === undefined) throw new ProblemError(problem('NOVA7602', { field: 'affinity_group.name' }));
    return save(call, randomUUID(), { name: '', isPositive: false, isEnforcing: false, vms: [] }, given, 'added');
  },
  update: async (call, { id, group: before }, body) =>
    save(call, id, before, accept('affinity_group', body, rules), 'updated'),
  remove: async (call, { id, group: { name } }) => {
    await call.parts.work.run(task(call, name, 'removed'), () => call.records.remove('affinityGroup', id));
  },
  children: [
    {
      path: 'vms',
      element: 'vm',
      elements: 'vms',
      kind: { en: 'VM', ru: 'ВМ' },
      id: ({ id }: Vm) => id,
      list: async (call: Call, parent: AffinityGroup) =>
        (await call.vms()).filter(({ id }) => parent.group.vms.includes(id)),
      show: ({ name }: Vm) => ({ name }),
      add: async (call: Call, body, { id, group: before }: AffinityGroup) => {
        const [vm] = await vmsNamed(call, [
          accept('vm', body, { fields: { id: text().optional(), name: text().optional() } }),
        ]);
        if (!vm) throw new ProblemError(problem('NOVA7602', { field: 'vm.id' }));
        const vms = [...new Set([...before.vms, vm.id])];
        await call.parts.work.run(task(call, before.name, 'updated'), () =>
          call.records.put('affinityGroup', id, { ...before, vms }),
        );
        return vm;
      },
      remove: async (call: Call, vm: Vm, { id, group: before }: AffinityGroup) => {
        const vms = before.vms.filter((each) => each !== vm.id);
        await call.parts.work.run(task(call, before.name, 'updated'), () =>
          call.records.put('affinityGroup', id, { ...before, vms }),
        );
      },
    } satisfies Resource<Vm, AffinityGroup>,
    empty('hosts', 'host', 'hosts'),
  ],
};

interface Given {
  name?: string | undefined;
  description?: string | undefined;
  positive?: boolean | undefined;
  enforcing?: boolean | undefined;
  vms_rule?:
    | { enabled?: boolean | undefined; positive?: boolean | undefined; enforcing?: boolean | undefined }
    | undefined;
  vms: readonly { id?: string | undefined; name?: string | undefined }[];
}

async function save(
  call: Call,
  id: string,
  before: AffinityGroup['group'],
  given: Given,
  done: string,
): Promise<AffinityGroup> {
  const isPositive = given.vms_rule?.positive ?? given.positive ?? before.isPositive;
  const isEnforcing = given.vms_rule?.enforcing ?? given.enforcing ?? before.isEnforcing;
  if (isEnforcing && !isPositive && given.vms_rule?.enabled !== false) throw new ProblemError(problem('NOVA7617', {}));
  const { name = before.name, description = before.description } = given;
  const vms = given.vms.length > 0 ? (await vmsNamed(call, given.vms)).map((vm) => vm.id) : before.vms;
  const saved = { name, ...(description !== undefined && { description }), isPositive, isEnforcing, vms };
  const isTaken = [...call.records.all('affinityGroup')].some(([other, each]) => other !== id && each.name === name);
  if (isTaken) throw new ProblemError(problem('NOVA7021', { kind: word, name }));
  await call.parts.work.run(task(call, name, done), () => call.records.put('affinityGroup', id, saved));
  return { id, group: saved };
}

async function vmsNamed(call: Call, given: Given['vms']): Promise<Vm[]> {
  const vms = await call.vms();
  return given.map(({ id, name }) => {
    const vm = vms.find((each) => (id !== undefined ? each.id === id : each.name === name));
    if (!vm) throw notFound({ en: 'VM', ru: 'ВМ' }, id ?? name ?? '');
    return vm;
  });
}

function task(call: Call, name: string, done: string) {
  return { ...call.by, description: `Affinity group ${name}`, done: `Affinity group ${name} was ${done}`, code: 10350 };
}
