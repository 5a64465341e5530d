import { type Element, flagAt, idOf, listAt, numberAt, textAt } from '../engine/elements.ts';
import type { Engine } from '../engine/engine.ts';
import type { Resource } from '../protocol/provider.ts';
import type { NestedBlock } from '../protocol/schema.ts';
import type { Fields, Value } from '../protocol/values.ts';
import {
  claim,
  flagIn,
  given,
  id,
  idsIn,
  isClaimed,
  isFilled,
  numberIn,
  oneOf,
  reference,
  requiredIn,
  textIn,
} from './fields.ts';
import { blocksOf } from './vm-body.ts';

const rule: NestedBlock = {
  nesting: 'set',
  max: 1,
  replaces: true,
  block: {
    description: 'A rule of the group.',
    attributes: {
      affinity: {
        type: 'string',
        mode: 'optional',
        check: oneOf('positive', 'negative'),
        description: 'positive: together. negative, the default: apart.',
      },
      enforcing: { type: 'bool', mode: 'optional', description: 'Do not start a VM that would break the rule.' },
    },
  },
};

export const affinityGroup: Resource<Engine> = {
  block: {
    description: 'VMs that run together, or apart.',
    attributes: {
      id,
      cluster_id: reference('Cluster of the group.'),
      name: { type: 'string', mode: 'required', replaces: true, check: isFilled, description: 'Name of the group.' },
      description: { type: 'string', mode: 'optional', replaces: true, description: 'Description of the group.' },
      priority: { type: 'number', mode: 'adopted', replaces: true, description: 'Groups with a higher priority win.' },
      enforcing: {
        type: 'bool',
        mode: 'adopted',
        replaces: true,
        description: 'Do not start a VM that would break the rules. The rules have the same setting.',
      },
    },
    blocks: { hosts_rule: rule, vms_rule: rule },
  },
  create: async ({ client }, planned) => {
    const path = `/clusters/${requiredIn(planned, 'cluster_id')}/affinitygroups`;
    const name = requiredIn(planned, 'name');
    const description = textIn(planned, 'description');
    const vmsRule = ruleOf(planned.vms_rule);
    const body = given({
      name,
      description,
      priority: numberIn(planned, 'priority'),
      enforcing: flagIn(planned, 'enforcing'),
      vms_rule: vmsRule,
      hosts_rule: ruleOf(planned.hosts_rule),
    });
    // Names are unique in a cluster. A group with the same rule is what a killed apply left.
    const created = await client.create(path, 'affinity_group', body, async () =>
      listAt(await client.get(path), 'affinity_group').find(
        (each) =>
          textAt(each, 'name') === name &&
          (textAt(each, 'description') ?? '') === (description ?? '') &&
          isSameRule(each, vmsRule) &&
          !isClaimed(idOf(each)),
      ),
    );
    const own = claim(idOf(created));
    const seen = observed(created);
    return {
      ...planned,
      id: own,
      priority: numberIn(planned, 'priority') ?? seen.priority ?? null,
      enforcing: flagIn(planned, 'enforcing') ?? seen.enforcing ?? null,
    };
  },
  read: async ({ client }, state) => {
    const path = `/clusters/${requiredIn(state, 'cluster_id')}/affinitygroups/${requiredIn(state, 'id')}`;
    const found = await client.find(path);
    if (found === undefined) return undefined;
    return {
      ...observed(found),
      vms_rule: refreshedRule(found, 'vms_rule', state),
      hosts_rule: refreshedRule(found, 'hosts_rule', state),
    };
  },
  delete: ({ client }, state) =>
    client.delete(`/clusters/${requiredIn(state, 'cluster_id')}/affinitygroups/${requiredIn(state, 'id')}`),
  identify: (text) => idsIn(text, 'cluster_id', 'id'),
};

export const vmAffinityGroup: Resource<Engine> = {
  block: {
    description: 'A VM of an affinity group.',
    attributes: {
      id,
      cluster_id: reference('Cluster of the group.'),
      affinity_group_id: reference('Affinity group.'),
      vm_id: reference('VM.'),
    },
  },
  create: async ({ client }, planned) => {
    const vm = requiredIn(planned, 'vm_id');
    const path = membersOf(planned);
    await client.create(path, 'vm', { id: vm }, async () =>
      listAt(await client.get(path), 'vm').find((each) => idOf(each) === vm),
    );
    return { ...planned, id: vm };
  },
  read: async ({ client }, state) => {
    const vm = requiredIn(state, 'vm_id');
    const isMember = listAt(await client.find(membersOf(state)), 'vm').some((each) => idOf(each) === vm);
    return isMember ? { vm_id: vm } : undefined;
  },
  delete: ({ client }, state) => client.delete(`${membersOf(state)}/${requiredIn(state, 'vm_id')}`),
};

function membersOf(state: Fields): string {
  return `/clusters/${requiredIn(state, 'cluster_id')}/affinitygroups/${requiredIn(state, 'affinity_group_id')}/vms`;
}

function isSameRule(group: Element, vms: ReturnType<typeof ruleOf>): boolean {
  return (
    vms === undefined ||
    (flagAt(group, 'vms_rule.positive') === vms.positive && flagAt(group, 'vms_rule.enforcing') === vms.enforcing)
  );
}

function ruleOf(value: Value | undefined) {
  const [block] = blocksOf(value);
  if (!block) return undefined;
  return {
    enabled: true,
    positive: textIn(block, 'affinity') === 'positive',
    enforcing: flagIn(block, 'enforcing') ?? false,
  };
}

/** A rule that is not declared is shown only if the engine has it enabled. What is not declared in it has its default. */
function refreshedRule(group: Element, name: string, state: Fields): Value {
  const [before] = blocksOf(state[name]);
  const isEnabled = flagAt(group, `${name}.enabled`) ?? false;
  // The engine enables the rule for VMs by itself.
  if (!before || !isEnabled) return before && isEnabled ? [before] : [];
  const affinity = flagAt(group, `${name}.positive`) ? 'positive' : 'negative';
  const enforcing = flagAt(group, `${name}.enforcing`) ?? false;
  return [
    {
      affinity: before.affinity === null && affinity === 'negative' ? null : affinity,
      enforcing: before.enforcing === null && !enforcing ? null : enforcing,
    },
  ];
}

function observed(group: Element): Fields {
  return {
    name: textAt(group, 'name') ?? null,
    description: textAt(group, 'description') ?? '',
    priority: numberAt(group, 'priority') ?? null,
    enforcing: flagAt(group, 'enforcing') ?? null,
  };
}
