import { bytesOf } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';
import { useMemo } from 'react';
import type { Health } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { Roles } from '../../parts/facts.tsx';
import { PageLink } from '../../parts/link.tsx';
import { NodeState } from '../../parts/node-state.tsx';
import { RunLabel } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

type Node = Health['nodes'][number];

export function ClusterNodes({ health, plan }: { health: Health; plan: ClusterPlan }) {
  const { t, bytes } = useWords();
  const columns = useMemo((): Column<Node>[] => {
    const planned = new Map(plan.nodes.map((node) => [node.name, node]));
    return [
      {
        key: 'name',
        title: t('common.node'),
        cell: ({ name }) => <PageLink to={`/nodes/${name}`}>{name}</PageLink>,
        sort: ({ name }) => name,
        width: 1.4,
      },
      {
        key: 'state',
        title: t('common.state'),
        cell: (node) => (
          <>
            <NodeState node={node} isCompact /> <MissingUpdates node={node} />
          </>
        ),
        width: 1.2,
      },
      { key: 'roles', title: t('common.roles'), cell: ({ roles }) => <Roles roles={roles} />, width: 1.7 },
      {
        key: 'address',
        title: t('common.address'),
        cell: ({ address }) => address,
        sort: ({ address }) => address,
        width: 1.2,
      },
      { key: 'version', title: t('common.version'), cell: ({ version }) => version ?? '—' },
      {
        key: 'resources',
        title: t('common.resources'),
        cell: ({ name }) => {
          const node = planned.get(name);
          return node ? `${node.cpu} ${t('common.cpu')}, ${bytes(bytesOf(node.memory))}` : '—';
        },
      },
      {
        key: 'run',
        title: t('common.lastRun'),
        cell: ({ lastRun, pending = 0 }) =>
          lastRun ? (
            <>
              <RunLabel status={lastRun.status} /> <Ago at={lastRun.at} />
              {pending > 0 && (
                <span className="nova-warning"> · {t('clusters.pendingChanges', { count: pending })}</span>
              )}
            </>
          ) : (
            '—'
          ),
        width: 1.7,
      },
    ];
  }, [t, bytes, plan]);
  return (
    <DataTable
      label={t('clusters.nodesOfCluster')}
      rows={health.nodes}
      columns={columns}
      rowKey={nodeKey}
      {...(health.nodes.length > 10 && { text: nodeText })}
      empty={<Nothing title={t('clusters.noNodes')} />}
    />
  );
}

const nodeKey = ({ name }: Node) => name;
const nodeText = ({ name, roles, address }: Node) => `${name} ${roles.join(' ')} ${address}`;

function MissingUpdates({ node: { missingSecurityUpdates = [] } }: { node: Node }) {
  const { t } = useWords();
  if (missingSecurityUpdates.length === 0) return null;
  const title = missingSecurityUpdates.join(', ');
  const text = t('clusters.missingUpdates', { count: missingSecurityUpdates.length });
  return (
    <span className="nova-warning" title={title}>
      {text}
    </span>
  );
}
