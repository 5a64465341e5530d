import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { ExclamationCircleIcon } from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon.js';
import { useQueries } from '@tanstack/react-query';
import type { Cluster, Status } from '../../api/client.ts';
import { healthQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { Findings } from '../../parts/findings.tsx';
import { PageLink } from '../../parts/link.tsx';
import { ProblemItem } from '../../parts/problems.tsx';
import { mostShown } from './cluster-cards.tsx';
import { serviceName } from './services.tsx';

const mostFindings = 3;

/** Everything that needs attention; renders nothing otherwise. */
export function Attention({ clusters, status }: { clusters: readonly Cluster[]; status: Status | undefined }) {
  const { t } = useWords();
  const health = useQueries({ queries: clusters.slice(0, mostShown).map(({ name }) => healthQuery(name)) });
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
