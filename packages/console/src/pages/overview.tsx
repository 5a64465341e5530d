import { Button, Card, CardBody, CardTitle, Progress } from '@patternfly/react-core';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import { ClusterIcon } from '@patternfly/react-icons/dist/esm/icons/cluster-icon.js';
import { ExclamationCircleIcon } from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon.js';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Cluster, Operation, Status } from '../api/client.ts';
import { capacityQuery, clustersQuery, healthQuery, operationsQuery, statusQuery } from '../api/queries.ts';
import { type PlainKey, useWords, type Words } from '../language.tsx';
import { Loading, Nothing } from '../parts/empty.tsx';
import { Findings } from '../parts/findings.tsx';
import { PageLink } from '../parts/link.tsx';
import { Message } from '../parts/message.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemItem } from '../parts/problems.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { HealthLabel, OperationLabel } from '../parts/states.tsx';
import { Ago, Lasting } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import './overview.css';

/** Clusters whose health is asked for here: asking goes to their machines. */
const mostAsked = 12;
const mostFindings = 3;

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

/** What needs somebody: only there when something does. */
function Attention({ clusters, status }: { clusters: readonly Cluster[]; status: Status | undefined }) {
  const { t } = useWords();
  const health = useQueries({ queries: clusters.slice(0, mostAsked).map(({ name }) => healthQuery(name)) });
  const troubled = health.flatMap(({ data }) => (data && data.findings.length > 0 ? [data] : []));
  const failing = (status?.services ?? []).filter(({ isReady }) => !isReady);
  const own = status?.findings ?? [];
  if (troubled.length === 0 && failing.length === 0 && own.length === 0) return null;
  return (
    <Card className="nova-tile nova-tile-full nova-attention">
      <CardTitle component="h2">{t('overview.needsAttention')}</CardTitle>
      <CardBody>
        {failing.map(({ name, reason, problems = [] }) => (
          <div key={name} className="nova-finding nova-finding-error">
            <span className="nova-finding-icon">
              <ExclamationCircleIcon className="nova-bad" />
            </span>
            <div>
              <div className="nova-finding-title">{t('overview.serviceDown', { service: serviceName(name, t) })}</div>
              {problems.map((problem) => (
                <ProblemItem key={problem.code} problem={problem} />
              ))}
              {problems.length === 0 && reason !== undefined && <code>{reason}</code>}
            </div>
          </div>
        ))}
        {own.length > 0 && <Findings findings={own} />}
        {troubled.map(({ cluster, findings }) => (
          <div key={cluster}>
            <h3>
              <PageLink to={`/clusters/${cluster}`}>{cluster}</PageLink>
            </h3>
            <Findings findings={findings.slice(0, mostFindings)} />
            {findings.length > mostFindings && (
              <PageLink to={`/clusters/${cluster}`}>
                {t('overview.moreFindings', { count: findings.length - mostFindings })}
              </PageLink>
            )}
          </div>
        ))}
      </CardBody>
    </Card>
  );
}

function ClusterCards({ clusters }: { clusters: readonly Cluster[] }) {
  const { t } = useWords();
  const { may } = useSession();
  if (clusters.length === 0) {
    return (
      <Nothing
        icon={ClusterIcon}
        title={t('common.noClusters')}
        {...(may('operator') && {
          action: <PageLink to="/clusters/new">{t('overview.createFirst')}</PageLink>,
        })}
      >
        {t('overview.noClustersHint')}
      </Nothing>
    );
  }
  return (
    <ul className="nova-plain nova-clusters">
      {clusters.slice(0, mostAsked).map((cluster) => (
        <ClusterCard key={cluster.name} cluster={cluster} />
      ))}
      {clusters.length > mostAsked && (
        <li>
          <PageLink to="/clusters">{t('overview.more', { count: clusters.length - mostAsked })}</PageLink>
        </li>
      )}
    </ul>
  );
}

function ClusterCard({ cluster: { name, kubernetesVersion, nodeCount } }: { cluster: Cluster }) {
  const { t } = useWords();
  const { data: health } = useQuery(healthQuery(name));
  const ready = health?.nodes.filter(({ isReady }) => isReady === true).length;
  return (
    <li className="nova-cluster-card">
      <div className="nova-cluster-name">
        <PageLink to={`/clusters/${name}`}>{name}</PageLink>
        {health ? <HealthLabel state={health.state} /> : <Loading lines={1} />}
      </div>
      <div className="nova-quiet">
        Kubernetes {kubernetesVersion} · {t('common.nodeCount', { count: nodeCount })}
        {ready !== undefined && ready < nodeCount && ` · ${t('overview.nodesReady', { count: ready })}`}
      </div>
    </li>
  );
}

function RecentOperations({ running, recent }: { running: readonly Operation[]; recent: readonly Operation[] }) {
  const { t, language } = useWords();
  const shown = [...running, ...recent.filter(({ id }) => !running.some((each) => each.id === id))].slice(0, 6);
  if (shown.length === 0) return <p className="nova-quiet">{t('overview.noOperations')}</p>;
  return (
    <ul className="nova-plain nova-operations">
      {shown.map((operation) => {
        const { id, title, lock, createdAt, endedAt, state, steps } = operation;
        const done = steps.filter((step) => step.state === 'done').length;
        return (
          <li key={id}>
            <div className="nova-operation-line">
              <PageLink to={`/operations/${id}`}>{title[language]}</PageLink>
              {lock !== undefined && <span className="nova-quiet">{lock}</span>}
              <OperationLabel operation={operation} />
            </div>
            {state === 'running' ? (
              <Progress
                value={(done / steps.length) * 100}
                aria-label={title[language]}
                size="sm"
                label={t('common.doneOf', { done, total: steps.length })}
                valueText={t('overview.stepsDone', { done, total: steps.length })}
              />
            ) : (
              <div className="nova-quiet">
                <Ago at={createdAt} />, <Lasting from={createdAt} until={endedAt} isRunning={false} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Capacity() {
  const { t, bytes } = useWords();
  const capacity = useQuery(capacityQuery);
  if (capacity.error && capacity.data === undefined) {
    return <p className="nova-quiet">{t('overview.engineUnreachable')}</p>;
  }
  return (
    <QueryView query={capacity}>
      {({ memory, disk, machines }) => (
        <div className="nova-meters">
          <Meter title={t('overview.memory')} used={memory.totalBytes - memory.freeBytes} total={memory.totalBytes} />
          <Meter title={t('overview.disk')} used={disk.totalBytes - disk.freeBytes} total={disk.totalBytes} />
          <p className="nova-quiet">
            {t('overview.machinesRunning', {
              running: machines.running,
              total: machines.count,
              cpu: machines.cpu,
              memory: bytes(machines.memoryBytes),
            })}
          </p>
        </div>
      )}
    </QueryView>
  );
}

const tight = 0.9;

function Meter({ title, used, total }: { title: string; used: number; total: number }) {
  const { t, bytes, number } = useWords();
  const share = total === 0 ? 0 : used / total;
  return (
    <Progress
      title={title}
      value={share * 100}
      label={t('overview.free', { free: bytes(total - used), total: bytes(total) })}
      valueText={`${number(share * 100)} %`}
      size="sm"
      {...(share > tight && { variant: 'warning' as const })}
    />
  );
}

const serviceNames: Record<string, PlainKey> = {
  store: 'overview.serviceStore',
  'configuration manager': 'overview.serviceConfiguration',
  registry: 'overview.serviceRegistry',
  resolver: 'overview.serviceResolver',
  git: 'overview.serviceGit',
  engine: 'overview.serviceEngine',
};

/** A service of a newer Universe has only its name. */
function serviceName(name: string, t: Words['t']): string {
  const key = serviceNames[name];
  return key === undefined ? name : t(key);
}

function Services({ status }: { status: Status }) {
  const { t, bytes } = useWords();
  return (
    <>
      <ul className="nova-plain nova-services">
        {status.services.map(({ name, isReady }) => (
          <li key={name}>
            {isReady ? (
              <CheckCircleIcon className="nova-good" role="img" aria-label={t('overview.serviceWorks')} />
            ) : (
              <ExclamationCircleIcon className="nova-bad" role="img" aria-label={t('overview.serviceBroken')} />
            )}
            {serviceName(name, t)}
          </li>
        ))}
      </ul>
      <p className="nova-quiet">
        <Message
          of="overview.versionAndMemory"
          parts={{
            version: status.version,
            memory: bytes(status.memoryBytes),
            when: <Ago at={status.startedAt} />,
          }}
        />
      </p>
    </>
  );
}

/** Machines whose images lack security updates of Debian, as of the last check. */
function SecurityUpdates({ status: { updates } }: { status: Status }) {
  const { t } = useWords();
  const { checkedAt, machines } = updates;
  if (checkedAt === undefined) {
    return (
      <p className="nova-quiet">
        <Message of="overview.updatesNotChecked" />
      </p>
    );
  }
  return (
    <>
      {machines.length === 0 ? (
        <p className="nova-fine">
          <CheckCircleIcon className="nova-good" /> {t('overview.noUpdatesMissing')}
        </p>
      ) : (
        <ul className="nova-plain">
          {machines.slice(0, 8).map(({ name, security }) => (
            <li key={name}>
              {name === 'universe' ? 'Universe' : <PageLink to={`/nodes/${name}`}>{name}</PageLink>}{' '}
              <span className="nova-warning">{t('overview.updatesMissing', { count: security.length })}</span>
            </li>
          ))}
          {machines.length > 8 && (
            <li className="nova-quiet">{t('overview.moreMachines', { count: machines.length - 8 })}</li>
          )}
        </ul>
      )}
      <p className="nova-quiet">
        <Message of="overview.checkedAt" parts={{ when: <Ago at={checkedAt} /> }} />
      </p>
    </>
  );
}

function EndingCertificates({ status: { endingCertificates } }: { status: Status }) {
  const { t, dateTime } = useWords();
  if (endingCertificates.length === 0) {
    return (
      <p className="nova-fine">
        <CheckCircleIcon className="nova-good" /> {t('overview.certificatesRenewed')}
      </p>
    );
  }
  return (
    <ul className="nova-plain">
      {endingCertificates.slice(0, 8).map(({ name, node, notAfter }) => (
        <li key={`${node} ${name}`}>
          {node === undefined ? name : <PageLink to={`/nodes/${node}`}>{`${node}: ${name}`}</PageLink>}{' '}
          <span className="nova-quiet">{dateTime(notAfter)}</span>
        </li>
      ))}
    </ul>
  );
}
