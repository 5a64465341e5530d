import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import type { Health, NodeDetails, Report } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { Facts, Roles } from '../../parts/facts.tsx';
import { PageLink } from '../../parts/link.tsx';
import { RunLabel, StateLabel } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { NodeHealth } from './node-health.tsx';
import './node-overview.css';

interface NodeOverviewProps {
  node: NodeDetails;
  health: Health | undefined;
  reports: readonly Report[];
}

/** The state in Kubernetes first, then the agent. */
export function NodeOverview({ node, health, reports }: NodeOverviewProps) {
  const { t, number } = useWords();
  const { name, cluster, roles, address, identity, isAsking, lastRun, agentVersion, seenAt, sinceLastRun, pending } =
    node;
  const identities = {
    valid: t('nodes.certificateValid'),
    revoked: t('nodes.certificateRevoked'),
    none: t('nodes.certificateNone'),
  };
  return (
    <>
      {cluster !== undefined && <NodeHealth name={name} cluster={cluster} health={health} />}
      <Card>
        <CardTitle component="h2">{t('nodes.about')}</CardTitle>
        <CardBody>
          <Facts
            facts={[
              [
                t('common.cluster'),
                cluster === undefined ? (
                  '—'
                ) : (
                  <PageLink key="c" to={`/clusters/${cluster}`}>
                    {cluster}
                  </PageLink>
                ),
              ],
              [t('common.roles'), <Roles key="r" roles={roles} />],
              [t('common.address'), address ?? '—'],
              [t('nodes.certificate'), identities[identity]],
              [
                t('nodes.agent'),
                <span key="a">
                  {isAsking ? (
                    <StateLabel look="good" text={t('nodes.agentConnected')} isCompact />
                  ) : (
                    <StateLabel look="quiet" text={t('nodes.agentOffline')} isCompact />
                  )}{' '}
                  {agentVersion}
                </span>,
              ],
              [t('nodes.lastSeen'), <Ago key="s" at={seenAt} />],
            ]}
          />
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">{t('nodes.configuration')}</CardTitle>
        <CardBody>
          <Facts
            facts={[
              [
                t('common.lastRun'),
                lastRun ? (
                  <span key="l">
                    <RunLabel status={lastRun.status} /> <Ago at={lastRun.at} />
                  </span>
                ) : (
                  '—'
                ),
              ],
              [
                t('nodes.changed'),
                lastRun
                  ? t('nodes.runSummary', {
                      changed: lastRun.changed,
                      failed: lastRun.failed,
                      seconds: number(lastRun.seconds, 1),
                    })
                  : '—',
              ],
              [t('nodes.driftReverted'), lastRun ? number(lastRun.corrective) : '—'],
              [
                t('nodes.catalogChanges'),
                <PageLink key="n" to={`/nodes/${name}/changes`}>
                  {number(sinceLastRun)}
                </PageLink>,
              ],
              [
                t('nodes.notApproved'),
                <PageLink key="p" to={`/nodes/${name}/changes`}>
                  {number(pending)}
                </PageLink>,
              ],
            ]}
          />
        </CardBody>
      </Card>
      {reports.length > 0 && (
        <Card>
          <CardTitle component="h2">
            <PageLink to={`/nodes/${name}/reports`}>{t('nodes.recentRuns')}</PageLink>
          </CardTitle>
          <CardBody>
            <RunHistory reports={reports} />
          </CardBody>
        </Card>
      )}
    </>
  );
}

/** One bar per run, the latest on the right; the height shows the number of changes. */
function RunHistory({ reports }: { reports: readonly Report[] }) {
  const { t, dateTime } = useWords();
  const runs = reports.slice(0, 40).toReversed();
  const most = Math.max(1, ...runs.map(({ resources }) => resources.changed + resources.failed));
  return (
    <ol className="nova-history" aria-label={t('nodes.runHistory')}>
      {runs.map(({ id, status, resources, receivedAt }) => {
        const amount = resources.changed + resources.failed;
        const label = `${dateTime(receivedAt)}: ${t('nodes.changedAndFailed', { changed: resources.changed, failed: resources.failed })}`;
        return (
          <li key={id} title={label}>
            <span
              className={`nova-history-bar nova-history-${status}`}
              style={{ height: `${0.75 + (amount / most) * 2.25}rem` }}
            />
            <span className="pf-v6-screen-reader">{label}</span>
          </li>
        );
      })}
    </ol>
  );
}
