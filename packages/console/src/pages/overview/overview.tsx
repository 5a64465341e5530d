import { Button, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { clustersQuery, operationsQuery, statusQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { PageLink } from '../../parts/link.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useSession } from '../../session.ts';
import { Attention } from './attention.tsx';
import { Capacity } from './capacity.tsx';
import { EndingCertificates } from './certificates.tsx';
import { ClusterCards } from './cluster-cards.tsx';
import { RecentOperations } from './recent-operations.tsx';
import { SecurityUpdates } from './security-updates.tsx';
import { Services } from './services.tsx';
import './overview.css';

export function Overview() {
  const { t } = useWords();
  const { may } = useSession();
  const [, go] = useLocation();
  const clusters = useQuery(clustersQuery);
  const status = useQuery(statusQuery);
  const running = useQuery({ ...operationsQuery({ state: 'running', limit: 10 }), refetchInterval: 15_000 });
  const recent = useQuery(operationsQuery({ limit: 6 }));
  return (
    <>
      <PageHead
        title={t('common.overview')}
        {...(may('operator') && {
          actions: <Button onClick={() => go('/clusters/new')}>{t('common.createCluster')}</Button>,
        })}
      />
      <PageBody isTiled>
        <Attention clusters={clusters.data ?? []} status={status.data} />
        <Tile title={t('common.clusters')} to="/clusters" isWide>
          <QueryView query={clusters}>{(found) => <ClusterCards clusters={found} />}</QueryView>
        </Tile>
        <Tile title={t('common.operations')} to="/operations" isWide>
          <QueryView query={recent}>
            {(found) => <RecentOperations running={running.data ?? []} recent={found} />}
          </QueryView>
        </Tile>
        <Tile title={t('overview.hostCapacity')}>
          <Capacity />
        </Tile>
        <Tile title="Universe">
          <QueryView query={status}>{(found) => <Services status={found} />}</QueryView>
        </Tile>
        <Tile title={t('overview.overdueCertificates')}>
          <QueryView query={status}>{(found) => <EndingCertificates status={found} />}</QueryView>
        </Tile>
        <Tile title={t('overview.securityUpdates')}>
          <QueryView query={status}>{(found) => <SecurityUpdates status={found} />}</QueryView>
        </Tile>
      </PageBody>
    </>
  );
}

function Tile({
  title,
  to,
  isWide = false,
  children,
}: {
  title: string;
  to?: string;
  isWide?: boolean;
  children: ReactNode;
}) {
  return (
    <Card className={isWide ? 'nova-tile nova-tile-wide' : 'nova-tile'}>
      <CardTitle component="h2">{to === undefined ? title : <PageLink to={to}>{title}</PageLink>}</CardTitle>
      <CardBody>{children}</CardBody>
    </Card>
  );
}
