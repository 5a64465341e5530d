import type { ClusterPlan } from '@nova-platform/plan';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import { ExclamationTriangleIcon } from '@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ClusterNetwork, Health } from '../../api/client.ts';
import { networkQuery } from '../../api/queries.ts';
import { type Text, useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Failure } from '../../parts/problems.tsx';
import { StateLabel } from '../../parts/states.tsx';
import { type NodeState, Topology } from '../../parts/topology.tsx';
import { type Compared, compareNetwork, type Verdict } from './network-state.ts';

interface ClusterTopologyProps {
  plan: ClusterPlan;
  health: Health | undefined;
}

/** A cluster's network: what is declared of it, beside what the engine really has. */
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
  const absent = compared?.filter(({ verdict }) => verdict === 'missing').map(({ kind, name }) => `${kind} ${name}`);
  return (
    <>
      {found?.refusal && (
        <Failure
          error={found.refusal}
          title={t({ en: 'Only what is declared is known.', ru: 'Известно только то, что описано.' })}
        />
      )}
      {compared && <Summary compared={compared} />}
      <Topology plan={plan} states={nodeStates(health, found?.value?.network)} absent={new Set(absent)} />
      {compared && <Comparison compared={compared} />}
    </>
  );
}

/** What Kubernetes says of a node counts where its machine runs. */
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

function Summary({ compared }: { compared: readonly Compared[] }) {
  const { t, count } = useWords();
  const others = compared.filter(({ verdict }) => verdict !== 'same').length;
  const parts = { en: ['part', 'parts'], ru: ['часть', 'части', 'частей'] } as const;
  return others === 0 ? (
    <p className="nova-fine">
      <CheckCircleIcon className="nova-good" />{' '}
      {t({ en: 'Everything is as declared.', ru: 'Всё соответствует описанию.' })}
    </p>
  ) : (
    <p className="nova-fine">
      <ExclamationTriangleIcon className="nova-warning" />{' '}
      {t({
        en: `Not as declared: ${count(others, parts)} of ${compared.length}.`,
        ru: `Не соответствует описанию: ${count(others, parts)} из ${compared.length}.`,
      })}
    </p>
  );
}

const kinds: Record<Compared['kind'], Text> = {
  network: { en: 'Network', ru: 'Сеть' },
  router: { en: 'Router', ru: 'Маршрутизатор' },
  route: { en: 'Route', ru: 'Маршрут' },
  nat: { en: 'Way out (SNAT)', ru: 'Выход наружу (SNAT)' },
  published: { en: 'Published node', ru: 'Публикация узла' },
  api: { en: 'Balanced API', ru: 'Балансировка API' },
  machine: { en: 'Machine', ru: 'Машина' },
};

const verdicts: Record<Verdict, { look: 'good' | 'warning' | 'bad'; text: Text }> = {
  same: { look: 'good', text: { en: 'As declared', ru: 'Как описано' } },
  missing: { look: 'bad', text: { en: 'Missing', ru: 'Отсутствует' } },
  different: { look: 'warning', text: { en: 'Different', ru: 'Отличается' } },
  down: { look: 'bad', text: { en: 'Down', ru: 'Не работает' } },
  undeclared: { look: 'warning', text: { en: 'Not declared', ru: 'Не описана' } },
};

const machineStates: Record<NonNullable<Compared['state']>, Text> = {
  running: { en: 'running', ru: 'работает' },
  stopped: { en: 'stopped', ru: 'остановлена' },
  deleting: { en: 'being deleted', ru: 'удаляется' },
  unplugged: { en: 'runs, but its link is down', ru: 'работает, но не подключена к сети' },
};

function Comparison({ compared }: { compared: readonly Compared[] }) {
  const { t } = useWords();
  const columns = useMemo(
    (): Column<Compared>[] => [
      { key: 'kind', title: t({ en: 'Part', ru: 'Часть' }), cell: ({ kind }) => t(kinds[kind]), width: 1.5 },
      { key: 'name', title: t({ en: 'Name', ru: 'Имя' }), cell: ({ name }) => <code>{name}</code>, width: 1.6 },
      {
        key: 'declared',
        title: t({ en: 'Declared', ru: 'Описано' }),
        cell: ({ declared }) => declared || '—',
        width: 2,
      },
      {
        key: 'found',
        title: t({ en: 'Found', ru: 'На деле' }),
        cell: ({ found, state }) => [found || '—', ...(state ? [t(machineStates[state])] : [])].join(', '),
        width: 2,
      },
      {
        key: 'verdict',
        title: t({ en: 'State', ru: 'Состояние' }),
        cell: ({ verdict }) => <StateLabel look={verdicts[verdict].look} text={t(verdicts[verdict].text)} isCompact />,
        sort: ({ verdict }) => verdict,
        width: 1.5,
      },
    ],
    [t],
  );
  return (
    <DataTable
      label={t({ en: 'Declared and found', ru: 'Описанное и действительное' })}
      rows={compared}
      columns={columns}
      rowKey={({ kind, name }) => `${kind} ${name}`}
      empty={null}
    />
  );
}
