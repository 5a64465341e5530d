import { isDeepStrictEqual } from 'node:util';
import type { MachineKind, Text } from '@nova-platform/api';
import type { ClusterPlan } from './cluster-plan.ts';
import { machineKindOf } from './nodes.ts';
import { needsRestart } from './resize.ts';

type ItemKind =
  | 'cluster'
  | 'provider'
  | 'node'
  | 'network'
  | 'router'
  | 'published'
  | 'route'
  | 'name'
  | 'api'
  | 'services'
  | 'zone'
  | 'authority'
  | 'certificate'
  | 'sharedKey'
  | 'module'
  | 'proxy';

interface Item {
  kind: ItemKind;
  id: string;
  fields: Record<string, unknown>;
}

export interface Change {
  action: 'add' | 'change' | 'remove';
  kind: ItemKind;
  id: string;
  fields: { name: string; before?: unknown; after?: unknown }[];
  /** The effect that users notice, if any. */
  disruption?: Text;
}

/** Additions, changes and removals, in the order of the plan. A cluster without a plan has nothing. */
export function diffPlans(before: ClusterPlan | undefined, after: ClusterPlan): Change[] {
  const key = ({ kind, id }: Item) => `${kind} ${id}`;
  const old = new Map((before ? itemsOf(before) : []).map((item) => [key(item), item]));
  const now = new Map(itemsOf(after).map((item) => [key(item), item]));
  const changes: Change[] = [];
  for (const [id, item] of now) {
    const earlier = old.get(id);
    if (earlier === undefined) changes.push({ action: 'add', kind: item.kind, id: item.id, fields: [] });
    else {
      const fields = changedFields(earlier.fields, item.fields);
      if (fields.length > 0) changes.push({ action: 'change', kind: item.kind, id: item.id, fields });
    }
  }
  for (const [id, item] of old) {
    if (!now.has(id)) changes.push({ action: 'remove', kind: item.kind, id: item.id, fields: [] });
  }
  const kinds = new Map(after.nodes.map((node) => [node.name, machineKindOf(node)]));
  return changes.map((change) => {
    const disruption = noticedOf(change, change.kind === 'node' ? kinds.get(change.id) : undefined);
    return disruption ? { ...change, disruption } : change;
  });
}

function changedFields(before: Item['fields'], after: Item['fields']): Change['fields'] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isSame(before[name], after[name]))
    .map((name) => ({ name, before: before[name], after: after[name] }));
}

function isSame(before: unknown, after: unknown): boolean {
  return isDeepStrictEqual(before, after) || isDeepStrictEqual(canonical(before), canonical(after));
}

/** Lists of strings are sets: their order does not matter. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(canonical);
    return items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, canonical(child)]));
}

/** The plan as a flat list of items. */
function itemsOf(plan: ClusterPlan): Item[] {
  const {
    cluster,
    nodes,
    network,
    api,
    services,
    dns,
    authorities,
    certificates,
    sharedKeys,
    modules,
    proxy,
    declared,
  } = plan;
  const { zvirt, ovirt, vsphere } = declared.provider;
  const providerSettings = zvirt ?? ovirt ?? vsphere;
  const item = (kind: ItemKind, id: string, fields: object): Item => ({ kind, id, fields: { ...fields } });
  const networks =
    network.kind === 'sdn'
      ? [
          item('network', network.service.name, network.service),
          item('router', network.router.name, { ...network.router, snat: network.snat, external: network.external }),
          ...network.published.map((each) => item('published', each.name, each)),
          ...network.routes.map((each) => item('route', `${each.router} ${each.network}`, each)),
          ...network.interceptor.map((each) => item('name', each.name, each)),
        ]
      : [
          item('network', cluster.name, { network: network.network, gateway: network.gateway }),
          ...network.hosts.map((each) => item('name', each.name, each)),
        ];
  return [
    item('cluster', cluster.name, { ...cluster, machineKind: machineKindOf(cluster), release: plan.release }),
    item('provider', cluster.provider, { ...providerSettings, externalNetwork: declared.externalNetwork }),
    ...nodes.map((node) => item('node', node.name, { ...node, machineKind: machineKindOf(node) })),
    ...networks,
    item('api', cluster.name, api),
    item('services', cluster.name, services),
    ...dns.zones.map((zone) => item('zone', zone.name, zone)),
    ...authorities.map((authority) => item('authority', authority.name, authority)),
    ...certificates.map((each) => item('certificate', each.node ? `${each.node}/${each.name}` : each.name, each)),
    ...sharedKeys.map((each) => item('sharedKey', each.name, each)),
    ...modules.map((module) => item('module', module.name, module)),
    ...(proxy ? [item('proxy', cluster.name, proxy)] : []),
  ];
}

interface Noticed {
  kind: ItemKind;
  action: Change['action'];
  /** Selects the fields whose change users notice; by default all. */
  isNoticed?: (field: Change['fields'][number], machineKind: MachineKind) => boolean;
  why: Text;
}

const disruptions: Noticed[] = [
  {
    kind: 'node',
    action: 'remove',
    why: {
      en: 'its pods move to other nodes, its local volumes are lost',
      ru: 'поды перейдут на другие узлы, локальные тома будут потеряны',
    },
  },
  {
    kind: 'node',
    action: 'change',
    isNoticed: (field, machineKind) => needsRestart(machineKind, field),
    why: {
      en: 'its pods move to other nodes, its machine restarts',
      ru: 'поды перейдут на другие узлы, машина перезапустится',
    },
  },
  {
    kind: 'node',
    action: 'change',
    isNoticed: named('taints'),
    why: { en: 'pods that do not tolerate it are evicted', ru: 'поды без допуска (toleration) будут вытеснены' },
  },
  {
    kind: 'cluster',
    action: 'change',
    isNoticed: named('kubernetesVersion'),
    why: { en: 'every node is upgraded, one after another', ru: 'узлы будут обновлены один за другим' },
  },
  {
    kind: 'cluster',
    action: 'change',
    isNoticed: named('cni', 'kubeProxyMode'),
    why: { en: 'connections of pods break', ru: 'соединения подов прервутся' },
  },
  {
    kind: 'cluster',
    action: 'change',
    isNoticed: named('release'),
    why: { en: 'modules change to those of that release', ru: 'модули сменятся на модули этого выпуска' },
  },
  {
    kind: 'api',
    action: 'change',
    isNoticed: named('address', 'externalAddress', 'fqdn'),
    why: { en: 'kubeconfig files must be fetched again', ru: 'файлы kubeconfig придётся получить заново' },
  },
  {
    kind: 'router',
    action: 'change',
    isNoticed: named('externalAddress', 'transitAddress', 'external'),
    why: { en: 'outgoing connections break', ru: 'исходящие соединения прервутся' },
  },
  {
    kind: 'published',
    action: 'change',
    isNoticed: named('externalAddress'),
    why: { en: 'its address changes', ru: 'адрес изменится' },
  },
  {
    kind: 'published',
    action: 'change',
    isNoticed: named('ports'),
    why: { en: 'other ports are closed', ru: 'остальные порты закроются' },
  },
  {
    kind: 'published',
    action: 'remove',
    why: { en: 'it is no longer reachable from outside', ru: 'доступ снаружи прекратится' },
  },
  {
    kind: 'zone',
    action: 'remove',
    why: { en: 'its names are no longer resolved', ru: 'имена зоны перестанут разрешаться' },
  },
  {
    kind: 'module',
    action: 'remove',
    why: { en: 'all objects of the module are deleted', ru: 'все объекты модуля будут удалены' },
  },
];

/** The effect of a change that users notice, if any. The kind is that of the node's machine. */
export function noticedOf(
  { kind, action, fields }: Pick<Change, 'action' | 'fields'> & { kind: string },
  machineKind: MachineKind = 'container',
): Text | undefined {
  return disruptions.find(
    (each) =>
      each.kind === kind &&
      each.action === action &&
      (each.isNoticed === undefined || fields.some((field) => each.isNoticed?.(field, machineKind))),
  )?.why;
}

function named(...names: string[]): (field: Change['fields'][number]) => boolean {
  return ({ name }) => names.includes(name);
}
