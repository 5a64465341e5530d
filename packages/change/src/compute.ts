import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type MachineKind, mebibytesOf } from '@nova-platform/api';
import {
  type ClusterPlan,
  diffPlans,
  emulationSlowdown,
  machineKindOf,
  needsRestart,
  type PlannedNode,
} from '@nova-platform/plan';
import { disruptionsOf } from './disruptions.ts';
import type { CatalogChange, CatalogState, Change, FieldChange, ItemChange, MachineChange } from './schema.ts';

/** A machine as the provider has it. */
export interface ObservedMachine {
  name: string;
  address: string;
  kind: MachineKind;
  state: 'running' | 'stopped' | 'deleting';
  cpu: number;
  memory: string;
  /** What the running machine has until its next start, if that differs from the above. */
  untilRestart?: { cpu: number; memory: string };
  /** Unknown if the disk is not limited. */
  disk?: string;
  /** Whether writing beyond `disk` fails. */
  isDiskLimited: boolean;
  /** The machine can never become a node: its enrolment token expired before it enrolled. */
  isLost: boolean;
}

/** The changes of a plan to the catalog of a node, and whether the node has applied the current one. */
interface CatalogPreview {
  node: string;
  changes: CatalogChange[];
  isSeen: boolean;
  isCurrent: boolean;
}

interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

interface Observed {
  machines: readonly ObservedMachine[];
  processors: number;
  /** Whether the host enforces the disk size of new containers. VMs have disks of a fixed size. */
  canLimitDisks: boolean;
  /** Whether VMs run at the speed of the host. */
  hasKvm: boolean;
}

export interface ChangeInput {
  plan: ClusterPlan;
  /** The plan that was approved last. */
  current: ClusterPlan | undefined;
  isNew: boolean;
  documents: FieldChange[];
  catalogs: readonly CatalogPreview[];
  /** The state of the provider. Without a provider only nodes are configured. */
  observed?: Observed | undefined;
  /** The Kubernetes objects that Universe creates, for the current plan and for this one. */
  objects: { before: readonly KubernetesObject[]; after: readonly KubernetesObject[] };
  unfinished?: number | undefined;
}

/** The change that a plan makes. A pure function: the same input gives the same bytes. */
export function changeOf(input: ChangeInput): Change {
  const { plan, isNew, documents, objects, unfinished } = input;
  const machines = machinesOf(input);
  const items = [...itemsOf(input), ...objectChanges(objects.before, objects.after)];
  const catalogs = catalogsOf(input);
  return {
    cluster: plan.cluster.name,
    isNew,
    documents,
    machines,
    catalogs,
    items,
    disruptions: isNew ? [] : disruptionsOf({ plan, machines, catalogs, items, slowdownOf: slowdowns(input) }),
    ...(unfinished !== undefined && { unfinished }),
  };
}

/** Identifies a change with its plan and its secrets, of which it gets a keyed hash. */
export function digestOf(plan: ClusterPlan, change: Change, secrets: string): string {
  return createHash('sha256')
    .update(JSON.stringify([plan, change, secrets]))
    .digest('hex');
}

/** Nothing is known about a node that never connected: comparing the plans shows whether its catalog changes. */
function catalogsOf({ plan, current, catalogs }: ChangeInput): CatalogState[] {
  const isSamePlan = isDeepStrictEqual(current, plan);
  const before = new Set(current?.nodes.map(({ name }) => name));
  return catalogs
    .map(({ node, changes, isSeen, isCurrent }) => {
      const isFirst = !(before.has(node) && (isSeen || isSamePlan));
      return { node, changes: isSeen || isFirst ? changes : [], isFirst, isBehind: before.has(node) && !isCurrent };
    })
    .filter(({ isFirst, isBehind, changes }) => isFirst || isBehind || changes.length > 0);
}

function machinesOf({ plan, current, observed }: ChangeInput): MachineChange[] {
  if (!observed) return [];
  const there = new Map(observed.machines.map((machine) => [machine.name, machine]));
  const planned = new Set(plan.nodes.map(({ name }) => name));
  const changed = plan.nodes.flatMap((node): MachineChange[] => {
    const machine = there.get(node.name);
    const isDiskEnforced = observed.canLimitDisks || machineKindOf(node) === 'vm';
    const made = { ...identityOf(node), ...sizeOf(node, observed), isDiskEnforced };
    if (!machine) return [{ ...made, action: 'create' }];
    if (machine.state === 'deleting' || machine.isLost) return [{ ...made, action: 'replace' }];
    return [
      ...(machine.state === 'stopped' ? [{ ...identityOf(node), action: 'start' as const }] : []),
      ...resizeOf(node, machine, observed),
    ];
  });
  // An incomplete change may have left machines that are in no plan.
  const gone = new Map([
    ...[...there.values()].map((machine) => [machine.name, { ...machine, isControlPlane: true }] as const),
    ...(current?.nodes ?? []).map((node) => [node.name, identityOf(node)] as const),
  ]);
  const removed = [...gone.values()]
    .filter(({ name }) => !planned.has(name))
    .map(({ name, address, isControlPlane }) => ({ name, address, isControlPlane, action: 'remove' as const }));
  return [...changed, ...removed];
}

function resizeOf(node: PlannedNode, machine: ObservedMachine, observed: Observed): MachineChange[] {
  const names = ['cpu', 'memory', 'disk'] as const;
  const fields = names.flatMap((name): FieldChange[] => {
    const [before, after] = [machine[name], node[name]];
    return before === undefined || amountOf(before) === amountOf(after) ? [] : [{ name, before, after }];
  });
  // What the machine was to get while it ran, and did not.
  const late = names.flatMap((name): FieldChange[] => {
    const [before, after] = [name === 'disk' ? undefined : machine.untilRestart?.[name], node[name]];
    const isListed = fields.some((field) => field.name === name);
    return before === undefined || isListed || amountOf(before) === amountOf(after) ? [] : [{ name, before, after }];
  });
  if (fields.length + late.length === 0) return [];
  const { processors } = observed;
  const isRestarted = late.length > 0 || fields.some((field) => needsRestart(machine.kind, field, processors));
  const isLive = machine.state === 'running' && !isRestarted;
  const { isDiskLimited: isDiskEnforced } = machine;
  return [
    {
      ...identityOf(node),
      ...sizeOf(node, observed),
      action: 'resize',
      fields: [...fields, ...late],
      isLive,
      isDiskEnforced,
    },
  ];
}

/** Providers store sizes in whole mebibytes: `4G` becomes `3815Mi`. */
function amountOf(quantity: string | number): number {
  return typeof quantity === 'number' ? quantity : mebibytesOf(quantity);
}

function identityOf({ name, address, roles }: PlannedNode) {
  return { name, address, isControlPlane: roles.includes('control-plane') };
}

/** A plan with too much memory is refused; a container with fewer processors only has less capacity. */
function sizeOf(node: PlannedNode, { processors, hasKvm }: Observed) {
  const { cpu, memory, disk } = node;
  const machineKind = machineKindOf(node);
  return {
    size: { cpu, memory, disk },
    machineKind,
    ...(machineKind === 'container' && cpu > processors && { offeredCpu: processors }),
    ...(machineKind === 'vm' && !hasKvm && { isEmulated: true as const }),
  };
}

/** How many times longer the work of a node takes than usual. */
function slowdowns({ plan, current, observed }: ChangeInput): (node: string) => number {
  const nodes = new Map([...(current?.nodes ?? []), ...plan.nodes].map((node) => [node.name, node]));
  return (name) => {
    const node = nodes.get(name);
    const isEmulated = node && machineKindOf(node) === 'vm' && observed?.hasKvm === false;
    return isEmulated ? emulationSlowdown : 1;
  };
}

/** Kinds that belong to the configuration of nodes. */
const configured: readonly string[] = ['node', 'authority', 'certificate', 'sharedKey'];

/** Differences between the plans, except machine sizes: those are compared with the actual machines. */
function itemsOf({ plan, current, observed }: ChangeInput): ItemChange[] {
  return diffPlans(current, plan).flatMap(({ action, kind, id, fields }) => {
    if (!(observed || configured.includes(kind))) return [];
    const told = kind === 'node' ? fields.filter(({ name }) => !['cpu', 'memory', 'disk'].includes(name)) : fields;
    // A new node is reported by its first catalog, a removed one by its machine.
    if (kind === 'node' && told.length === 0 && (observed || action !== 'remove')) return [];
    return [{ action, kind, id, fields: told }];
  });
}

function objectChanges(before: readonly KubernetesObject[], after: readonly KubernetesObject[]): ItemChange[] {
  const [old, now] = [byId(before), byId(after)];
  const item = (action: ItemChange['action'], id: string) => ({ action, kind: 'object', id, fields: [] });
  return [
    ...[...now].flatMap(([id, object]) => {
      const earlier = old.get(id);
      if (!earlier) return [item('add', id)];
      return isDeepStrictEqual(earlier, object) ? [] : [item('change', id)];
    }),
    ...[...old.keys()].filter((id) => !now.has(id)).map((id) => item('remove', id)),
  ];
}

/** `Deployment kube-system/coredns` */
function byId(objects: readonly KubernetesObject[]): Map<string, KubernetesObject> {
  return new Map(
    objects.map((object) => {
      const { name, namespace } = object.metadata;
      return [`${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`, object];
    }),
  );
}
