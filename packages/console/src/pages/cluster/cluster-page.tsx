import { Button, Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useLocation } from 'wouter';
import { Refused } from '../../api/client.ts';
import { certificatesQuery, clusterQuery, healthQuery, operationsQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { Loading, Nothing } from '../../parts/empty.tsx';
import { onDemand } from '../../parts/on-demand.ts';
import { OperationTable } from '../../parts/operation-table.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { HealthLabel } from '../../parts/states.tsx';
import { useSession } from '../../session.ts';
import { ClusterActions } from './actions.tsx';
import { Certificates } from './certificates.tsx';
import { ClusterNodes } from './cluster-nodes.tsx';
import { ClusterOverview } from './cluster-overview.tsx';
import './cluster-page.css';

const ClusterTopology = onDemand(() => import('./cluster-topology.tsx'), 'ClusterTopology');
const ClusterModules = onDemand(() => import('./modules.tsx'), 'ClusterModules');
const ClusterEvents = onDemand(() => import('./events.tsx'), 'ClusterEvents');
const PlanTree = onDemand(() => import('../../parts/plan-tree.tsx'), 'PlanTree');
const YamlView = onDemand(() => import('../../parts/yaml-editor.tsx'), 'YamlEditor');

export function ClusterPage({ name, tab }: { name: string; tab: string }) {
  const { t } = useWords();
  const { may } = useSession();
  const [, go] = useLocation();
  const cluster = useQuery(clusterQuery(name));
  const health = useQuery(healthQuery(name));
  const certificates = useQuery({ ...certificatesQuery(name), enabled: tab === 'certificates' });
  const isMissing = cluster.error instanceof Refused && cluster.error.status === 404;
  const operations = useQuery({ ...operationsQuery({ cluster: name }), enabled: tab === 'operations' || isMissing });
  const tabs: [key: string, title: string][] = [
    ['overview', t('common.overview')],
    ['topology', t('common.topology')],
    ['nodes', t('common.nodes')],
    ['modules', t('common.modules')],
    ['events', t('clusters.events')],
    ['plan', t('common.plan')],
    ['certificates', t('common.certificates')],
    ['operations', t('common.operations')],
    ['documents', t('common.documents')],
  ];
  return (
    <>
      <PageHead
        title={name}
        view={tabs.find(([key]) => key === tab)?.[1]}
        above={[{ title: t('common.clusters'), to: '/clusters' }]}
        state={health.data && <HealthLabel state={health.data.state} />}
        actions={cluster.data && <ClusterActions cluster={cluster.data} health={health.data} />}
      />
      <PageBody>
        <QueryView query={cluster}>
          {({ plan, documents }) => (
            <>
              <PageTabs label={t('clusters.sections')} base={`/clusters/${name}`} current={tab} tabs={tabs} />
              <Suspense fallback={<Loading />}>
                {tab === 'overview' && (
                  <QueryView query={health}>{(found) => <ClusterOverview health={found} plan={plan} />}</QueryView>
                )}
                {tab === 'topology' && <ClusterTopology plan={plan} health={health.data} />}
                {tab === 'nodes' && (
                  <QueryView query={health}>{(found) => <ClusterNodes health={found} plan={plan} />}</QueryView>
                )}
                {tab === 'modules' && <ClusterModules cluster={name} plan={plan} health={health.data} />}
                {tab === 'events' && <ClusterEvents cluster={name} />}
                {tab === 'plan' && <PlanTree plan={plan} />}
                {tab === 'certificates' && (
                  <QueryView query={certificates}>{(found) => <Certificates certificates={found} />}</QueryView>
                )}
                {tab === 'operations' && (
                  <QueryView query={operations}>
                    {(found) => (
                      <OperationTable operations={found} empty={<Nothing title={t('clusters.noOperations')} />} />
                    )}
                  </QueryView>
                )}
                {tab === 'documents' && (
                  <>
                    {may('operator') && (
                      <Button variant="secondary" className="nova-edit" onClick={() => go(`/clusters/${name}/edit`)}>
                        {t('clusters.editDocuments')}
                      </Button>
                    )}
                    <YamlView label={t('clusters.documentsOfCluster')} text={documents} />
                  </>
                )}
              </Suspense>
            </>
          )}
        </QueryView>
        {isMissing && operations.data !== undefined && operations.data.length > 0 && (
          <>
            <Title headingLevel="h2">{t('clusters.earlierOperations')}</Title>
            <OperationTable operations={operations.data} empty={null} />
          </>
        )}
      </PageBody>
    </>
  );
}
