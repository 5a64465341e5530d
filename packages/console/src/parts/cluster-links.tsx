import { PageLink } from './link.tsx';

export function ClusterLinks({ clusters }: { clusters: readonly string[] }) {
  if (clusters.length === 0) return '—';
  return (
    <span className="nova-roles">
      {clusters.map((name) => (
        <PageLink key={name} to={`/clusters/${name}/modules`}>
          {name}
        </PageLink>
      ))}
    </span>
  );
}
