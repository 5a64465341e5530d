import { Button } from '@patternfly/react-core';
import { ClusterIcon } from '@patternfly/react-icons/dist/esm/icons/cluster-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { Cluster } from '../api/client.ts';
import { clustersQuery, healthQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Nothing } from '../parts/empty.tsx';
import { PageLink } from '../parts/link.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { HealthLabel } from '../parts/states.tsx';
import { Ago } from '../parts/time.tsx';
import { useSession } from '../session.ts';

export function Clusters() {
  const { t } = useWords();
  const { may } = useSession();
  const [, go] = useLocation();
  const clusters = useQuery(clustersQuery);
  const create = may('operator') && <Button onClick={() => go('/clusters/new')}>{t('common.createCluster')}</Button>;
  const columns = useMemo(
    (): Column<Cluster>[] => [
      {
        key: 'name',
        title: t('common.name'),
        cell: ({ name }) => <PageLink to={`/clusters/${name}`}>{name}</PageLink>,
        sort: ({ name }) => name,
        width: 2,
      },
      {
        key: 'state',
        title: t('common.state'),
        cell: ({ name }) => <State cluster={name} />,
        width: 1.3,
      },
      {
        key: 'version',
        title: 'Kubernetes',
        cell: (row) => row.kubernetesVersion,
        sort: (row) => row.kubernetesVersion,
      },
      {
        key: 'provider',
        title: t('clusters.provider'),
        cell: (row) => row.provider,
        sort: (row) => row.provider,
      },
      {
        key: 'nodes',
        title: t('common.nodes'),
        cell: (row) => row.nodeCount,
        sort: (row) => row.nodeCount,
        width: 0.7,
      },
      {
        key: 'changed',
        title: t('clusters.declaredAt'),
        cell: ({ changedAt, changedBy }) => (
          <>
            <Ago at={changedAt} /> <span className="nova-quiet">{changedBy}</span>
          </>
        ),
        sort: ({ changedAt }) => changedAt,
        width: 1.8,
      },
    ],
    [t],
  );
  return (
    <>
      <PageHead title={t('common.clusters')} {...(create && { actions: create })} />
      <PageBody>
        <QueryView query={clusters}>
          {(rows) => (
            <DataTable
              label={t('common.clusters')}
              rows={rows}
              columns={columns}
              rowKey={clusterKey}
              text={clusterText}
              empty={<Nothing icon={ClusterIcon} title={t('common.noClusters')} {...(create && { action: create })} />}
            />
          )}
        </QueryView>
      </PageBody>
    </>
  );
}

const clusterKey = ({ name }: Cluster) => name;
const clusterText = ({ name, provider, kubernetesVersion }: Cluster) => `${name} ${provider} ${kubernetesVersion}`;

/** Requests the health only while the row is visible. */
function State({ cluster }: { cluster: string }) {
  const { data } = useQuery(healthQuery(cluster));
  return data ? <HealthLabel state={data.state} /> : <span className="nova-quiet">…</span>;
}
