import type { Text } from '@nova-platform/api';
import { type ClusterPlan, controlPlanes, noticedOf } from '@nova-platform/plan';
import type { CatalogState, Disruption, ItemChange, MachineChange } from './schema.ts';

/** In seconds, at the speed of the host. A step that takes longer fails. */
const longestRestart = 300;
const longestDrain = 120;
/** A control plane does not serve while one of these services restarts. */
const apiServices = ['Service[kube-apiserver]', 'Service[etcd]'];

interface Changed {
  plan: ClusterPlan;
  machines: readonly MachineChange[];
  catalogs: readonly CatalogState[];
  items: readonly ItemChange[];
  /** How many times longer the work of a node takes than usual. */
  slowdownOf: (node: string) => number;
}

/** The effects of a change that users of the cluster notice, in the order in which they happen. */
export function disruptionsOf({ plan, machines, catalogs, items, slowdownOf }: Changed): Disruption[] {
  const planes = new Set(controlPlanes(plan.nodes).map(({ name }) => name));
  const isOnly = planes.size === 1;
  const noticed = items.flatMap((item): Disruption[] => {
    // Removed machines are reported below. A node whose machine is not ours is no longer configured and keeps its pods.
    const text = item.kind === 'node' && item.action === 'remove' ? undefined : noticedOf(item);
    return text ? [{ kind: 'other', text: { en: `${item.id}: ${text.en}`, ru: `${item.id}: ${text.ru}` } }] : [];
  });
  const restarted = catalogs.flatMap(({ node, changes, isFirst }): Disruption[] => {
    if (isFirst) return [];
    const services = changes.flatMap(({ kind, resource }) =>
      kind !== 'no longer managed' && resource.startsWith('Service[') ? [resource] : [],
    );
    const isServing = planes.has(node) && services.some((each) => apiServices.includes(each));
    return [
      ...(services.length > 0 ? [{ kind: 'services' as const, node, text: restartOf(services) }] : []),
      ...(isServing && isOnly ? [apiUnavailable(node, slowdownOf(node))] : []),
    ];
  });
  const resized = machines.flatMap((machine): Disruption[] => {
    if (machine.action !== 'resize' || machine.isLive) return [];
    const stopsApi = planes.has(machine.name) && isOnly;
    const slowdown = slowdownOf(machine.name);
    return [
      drained(machine.name, slowdown),
      { kind: 'restart', node: machine.name, text: machineRestarts, seconds: longestRestart * slowdown },
      ...(stopsApi ? [apiUnavailable(machine.name, slowdown)] : []),
    ];
  });
  const removed = machines.flatMap(({ action, name }) => (action === 'remove' ? [lost(name, slowdownOf(name))] : []));
  return [...noticed, ...restarted, ...resized, ...removed];
}

const machineRestarts: Text = { en: 'its machine restarts', ru: 'машина перезапустится' };

function restartOf(services: readonly string[]): Text {
  const names = services.map((each) => each.slice('Service['.length, -1)).join(', ');
  return { en: `restarts ${names}`, ru: `перезапустит ${names}` };
}

function apiUnavailable(node: string, slowdown: number): Disruption {
  return {
    kind: 'api',
    node,
    seconds: longestRestart * slowdown,
    text: {
      en: 'the API is unavailable during this time: this is the only control plane node',
      ru: 'API на это время недоступен: это единственный узел управления',
    },
  };
}

function drained(node: string, slowdown: number): Disruption {
  return {
    kind: 'drain',
    node,
    seconds: longestDrain * slowdown,
    text: { en: 'its pods move to other nodes', ru: 'поды перейдут на другие узлы' },
  };
}

function lost(node: string, slowdown: number): Disruption {
  return {
    kind: 'drain',
    node,
    seconds: longestDrain * slowdown,
    text: {
      en: 'its pods move to other nodes, its local volumes are lost',
      ru: 'поды перейдут на другие узлы, локальные тома будут потеряны',
    },
  };
}
