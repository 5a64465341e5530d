import { ServerIcon } from '@patternfly/react-icons/dist/esm/icons/server-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Health, ListedNode } from '../api/client.ts';
import { healthQuery, nodesQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Nothing } from '../parts/empty.tsx';
import { Roles } from '../parts/facts.tsx';
import { PageLink } from '../parts/link.tsx';
import { NodeState } from '../parts/node-state.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { RunLabel, StateLabel } from '../parts/states.tsx';
import { Ago } from '../parts/time.tsx';
import './nodes.css';

export function Nodes() {
  const { t } = useWords();
  const nodes = useQuery(nodesQuery());
  const columns = useMemo(
    (): Column<ListedNode>[] => [
      {
        key: 'name',
        title: t('common.node'),
        cell: ({ name }) => <PageLink to={`/nodes/${name}`}>{name}</PageLink>,
        sort: ({ name }) => name,
        width: 1.6,
      },
      {
        key: 'cluster',
        title: t('common.cluster'),
        cell: ({ cluster }) =>
          cluster === undefined ? '—' : <PageLink to={`/clusters/${cluster}`}>{cluster}</PageLink>,
        sort: ({ cluster }) => cluster ?? '',
        width: 1.2,
      },
      {
        key: 'state',
        title: t('common.state'),
        cell: ({ name, cluster }) => (cluster === undefined ? '—' : <State cluster={cluster} name={name} />),
        width: 1.2,
      },
      { key: 'roles', title: t('common.roles'), cell: ({ roles }) => <Roles roles={roles} />, width: 1.6 },
      {
        key: 'address',
        title: t('common.address'),
        cell: ({ address }) => address ?? '—',
        sort: ({ address }) => address ?? '',
        width: 1.3,
      },
      {
        key: 'agent',
        title: t('nodes.agent'),
        cell: ({ lastRun, isAsking, identity }) => (
          <span className="nova-agent">
            <Connection isConnected={isAsking} isRevoked={identity === 'revoked'} />
            {lastRun ? (
              <>
                <RunLabel status={lastRun.status} /> <Ago at={lastRun.at} />
              </>
            ) : (
              <span className="nova-quiet">{t('nodes.neverRun')}</span>
            )}
          </span>
        ),
        sort: ({ lastRun }) => lastRun?.at ?? '',
        width: 2.2,
      },
    ],
    [t],
  );
  return (
    <>
      <PageHead title={t('common.nodes')} />
      <PageBody>
        <QueryView query={nodes}>
          {(rows) => (
            <DataTable
              label={t('common.nodes')}
              rows={rows}
              columns={columns}
              rowKey={nodeKey}
              text={nodeText}
              empty={
                <Nothing icon={ServerIcon} title={t('nodes.noNodes')}>
                  {t('nodes.noNodesHint')}
                </Nothing>
              }
            />
          )}
        </QueryView>
      </PageBody>
    </>
  );
}

function Connection({ isConnected, isRevoked }: { isConnected: boolean; isRevoked: boolean }) {
  const { t } = useWords();
  if (isRevoked) return <StateLabel look="bad" text={t('nodes.agentRevoked')} isCompact />;
  return isConnected ? (
    <StateLabel look="good" text={t('nodes.agentConnected')} isCompact />
  ) : (
    <StateLabel look="quiet" text={t('nodes.agentOffline')} isCompact />
  );
}

/** Requests the health of the cluster only while a row of it is visible. */
function State({ cluster, name }: { cluster: string; name: string }) {
  const select = useCallback(({ nodes }: Health) => nodes.find((node) => node.name === name), [name]);
  const { data, isPending } = useQuery({ ...healthQuery(cluster), select });
  if (data) return <NodeState node={data} isCompact />;
  return <span className="nova-quiet">{isPending ? '…' : '—'}</span>;
}

const nodeKey = ({ name }: ListedNode) => name;
const nodeText = ({ name, cluster = '', roles, address = '', lastRun }: ListedNode) =>
  `${name} ${cluster} ${roles.join(' ')} ${address} ${lastRun?.status ?? ''}`;
