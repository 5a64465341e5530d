import type { ClusterPlan } from '@nova-platform/plan';
import { useMemo } from 'react';
import type { Health } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { Roles } from '../../parts/facts.tsx';
import { PageLink } from '../../parts/link.tsx';
import { RunLabel, StateLabel } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

type Node = Health['nodes'][number];

export function ClusterNodes({ health, plan }: { health: Health; plan: ClusterPlan }) {
  const { t } = useWords();
  const columns = useMemo((): Column<Node>[] => {
    const planned = new Map(plan.nodes.map((node) => [node.name, node]));
    return [
      {
        key: 'name',
        title: t({ en: 'Node', ru: 'Узел' }),
        cell: ({ name }) => <PageLink to={`/nodes/${name}`}>{name}</PageLink>,
        sort: ({ name }) => name,
        width: 1.5,
      },
      {
        key: 'state',
        title: t({ en: 'State', ru: 'Состояние' }),
        cell: (node) => (
          <>
            <NodeState node={node} /> <MissingUpdates node={node} />
          </>
        ),
        width: 1.4,
      },
      { key: 'roles', title: t({ en: 'Roles', ru: 'Роли' }), cell: ({ roles }) => <Roles roles={roles} />, width: 2 },
      {
        key: 'address',
        title: t({ en: 'Address', ru: 'Адрес' }),
        cell: ({ address }) => address,
        sort: ({ address }) => address,
        width: 1.4,
      },
      { key: 'version', title: t({ en: 'Version', ru: 'Версия' }), cell: ({ version }) => version ?? '—' },
      {
        key: 'resources',
        title: t({ en: 'Resources', ru: 'Ресурсы' }),
        cell: ({ name }) => {
          const node = planned.get(name);
          return node ? `${node.cpu} ${t({ en: 'CPU', ru: 'ЦП' })}, ${node.memory}` : '—';
        },
      },
      {
        key: 'run',
        title: t({ en: 'Last run', ru: 'Последний запуск' }),
        cell: ({ lastRun, pending = 0 }) =>
          lastRun ? (
            <>
              <RunLabel status={lastRun.status} /> <Ago at={lastRun.at} />
              {pending > 0 && (
                <span className="nova-warning"> · {t({ en: `${pending} pending`, ru: `ожидают: ${pending}` })}</span>
              )}
            </>
          ) : (
            '—'
          ),
        width: 1.9,
      },
    ];
  }, [t, plan]);
  return (
    <DataTable
      label={t({ en: 'Nodes of the cluster', ru: 'Узлы кластера' })}
      rows={health.nodes}
      columns={columns}
      rowKey={nodeKey}
      {...(health.nodes.length > 10 && { text: nodeText })}
      empty={<Nothing title={t({ en: 'It has no nodes', ru: 'Узлов нет' })} />}
    />
  );
}

const nodeKey = ({ name }: Node) => name;
const nodeText = ({ name, roles, address }: Node) => `${name} ${roles.join(' ')} ${address}`;

function MissingUpdates({ node: { missingSecurityUpdates = [] } }: { node: Node }) {
  const { t } = useWords();
  if (missingSecurityUpdates.length === 0) return null;
  const title = missingSecurityUpdates.join(', ');
  const text = t({
    en: `${missingSecurityUpdates.length} security updates missing`,
    ru: `нет обновлений безопасности: ${missingSecurityUpdates.length}`,
  });
  return (
    <span className="nova-warning" title={title}>
      {text}
    </span>
  );
}

function NodeState({ node: { isReady, machine } }: { node: Node }) {
  const { t } = useWords();
  if (machine === 'stopped') return <StateLabel look="quiet" text={t({ en: 'Stopped', ru: 'Остановлен' })} isCompact />;
  if (isReady === undefined) return <StateLabel look="quiet" text={t({ en: 'Unknown', ru: 'Неизвестно' })} isCompact />;
  return isReady ? (
    <StateLabel look="good" text={t({ en: 'Ready', ru: 'Готов' })} isCompact />
  ) : (
    <StateLabel look="bad" text={t({ en: 'Not ready', ru: 'Не готов' })} isCompact />
  );
}
