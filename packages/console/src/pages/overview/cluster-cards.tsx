import { ClusterIcon } from '@patternfly/react-icons/dist/esm/icons/cluster-icon.js';
import { useQuery } from '@tanstack/react-query';
import type { Cluster } from '../../api/client.ts';
import { healthQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { Loading, Nothing } from '../../parts/empty.tsx';
import { PageLink } from '../../parts/link.tsx';
import { HealthLabel } from '../../parts/states.tsx';
import { useSession } from '../../session.ts';
import './cluster-cards.css';

/** Clusters whose health is requested here: each request goes to their machines. */
export const mostShown = 12;

export function ClusterCards({ clusters }: { clusters: readonly Cluster[] }) {
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
      {clusters.slice(0, mostShown).map((cluster) => (
        <ClusterCard key={cluster.name} cluster={cluster} />
      ))}
      {clusters.length > mostShown && (
        <li>
          <PageLink to="/clusters">{t('overview.more', { count: clusters.length - mostShown })}</PageLink>
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
