import type { ClusterPlan } from '@nova-platform/plan';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import { ExclamationTriangleIcon } from '@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ClusterNetwork, Health } from '../../api/client.ts';
import { networkQuery } from '../../api/queries.ts';
import { type PlainKey, useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Failure } from '../../parts/problems.tsx';
import { StateLabel } from '../../parts/states.tsx';
import { type NodeState, Topology } from '../../parts/topology.tsx';
import { type Compared, compareNetwork, type Verdict } from './network-state.ts';

interface ClusterTopologyProps {
  plan: ClusterPlan;
  health: Health | undefined;
}

/** A cluster's network: declared state next to the engine's actual state. */
export function ClusterTopology({ plan, health }: ClusterTopologyProps) {
  const { t } = useWords();
  const { network, cluster } = plan;
  const isSdn = network.kind === 'sdn';
  const { data: found } = useQuery({ ...networkQuery(cluster.name), enabled: isSdn });
  const compared = useMemo(
    () =>
      network.kind === 'sdn' && found?.value ? compareNetwork({ ...plan, network }, found.value.network) : undefined,
    [plan, network, found],
  );
  const unready = (health?.nodes ?? []).filter(({ isReady }) => isReady === false).length;
  const absent = compared?.filter(({ verdict }) => verdict === 'missing').map(({ kind, name }) => `${kind} ${name}`);
  return (
    <>
      {found?.refusal && <Failure error={found.refusal} title={t('network.onlyDeclared')} />}
      {compared && <Summary compared={compared} unready={unready} />}
      <Topology plan={plan} states={nodeStates(health, found?.value?.network)} absent={new Set(absent)} />
      {compared && <Comparison compared={compared} />}
    </>
  );
}

/** The Kubernetes state of a node counts only while its machine runs. */
function nodeStates(health: Health | undefined, network: ClusterNetwork | undefined): ReadonlyMap<string, NodeState> {
  const machines = new Map(network?.machines.map(({ name, state }) => [name, state]));
  return new Map(
    (health?.nodes ?? []).map(({ name, isReady, machine = machines.get(name) }) => [
      name,
      machine !== undefined && machine !== 'running'
        ? 'stopped'
        : isReady === undefined
          ? 'planned'
          : isReady
            ? 'ready'
            : 'not-ready',
    ]),
  );
}

/** The network alone; nodes that are not ready are a warning, although their network is as declared. */
function Summary({ compared, unready }: { compared: readonly Compared[]; unready: number }) {
  const { t } = useWords();
  const others = compared.filter(({ verdict }) => verdict !== 'same').length;
  return others === 0 ? (
    <p className="nova-fine">
      {unready === 0 ? <CheckCircleIcon className="nova-good" /> : <ExclamationTriangleIcon className="nova-warning" />}{' '}
      {t('network.asDeclared')} {unready > 0 && t('network.nodesNotReady', { count: unready })}
    </p>
  ) : (
    <p className="nova-fine">
      <ExclamationTriangleIcon className="nova-warning" />{' '}
      {t('network.notAsDeclared', { count: others, total: compared.length })}
    </p>
  );
}

const kinds: Record<Compared['kind'], PlainKey> = {
  network: 'common.network',
  router: 'network.router',
  route: 'network.route',
  nat: 'network.snat',
  published: 'network.publishedNode',
  api: 'network.balancedApi',
  machine: 'network.machine',
};

const verdicts: Record<Verdict, { look: 'good' | 'warning' | 'bad'; text: PlainKey }> = {
  same: { look: 'good', text: 'network.same' },
  missing: { look: 'bad', text: 'network.missing' },
  different: { look: 'warning', text: 'network.different' },
  down: { look: 'bad', text: 'network.down' },
  undeclared: { look: 'warning', text: 'network.notDeclared' },
};

const machineStates: Record<NonNullable<Compared['state']>, PlainKey> = {
  running: 'network.machineRunning',
  stopped: 'network.machineStopped',
  deleting: 'network.machineDeleting',
  unplugged: 'network.machineUnplugged',
};

function Comparison({ compared }: { compared: readonly Compared[] }) {
  const { t } = useWords();
  const columns = useMemo(
    (): Column<Compared>[] => [
      { key: 'kind', title: t('common.part'), cell: ({ kind }) => t(kinds[kind]), width: 1.5 },
      { key: 'name', title: t('common.name'), cell: ({ name }) => <code>{name}</code>, width: 1.6 },
      {
        key: 'declared',
        title: t('network.declared'),
        cell: ({ declared }) => declared || '—',
        width: 2,
      },
      {
        key: 'found',
        title: t('network.actual'),
        cell: ({ found, state }) => [found || '—', ...(state ? [t(machineStates[state])] : [])].join(', '),
        width: 2,
      },
      {
        key: 'verdict',
        title: t('common.state'),
        cell: ({ verdict }) => <StateLabel look={verdicts[verdict].look} text={t(verdicts[verdict].text)} isCompact />,
        sort: ({ verdict }) => verdict,
        width: 1.5,
      },
    ],
    [t],
  );
  return (
    <DataTable
      label={t('network.comparison')}
      rows={compared}
      columns={columns}
      rowKey={({ kind, name }) => `${kind} ${name}`}
      empty={null}
    />
  );
}
