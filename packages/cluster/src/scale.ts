import { type Infrastructure, infrastructure, ProblemError, problem, rewritten } from '@nova-platform/api';

type NodeGroup = Infrastructure['spec']['nodeGroups'][number];

/** Changes the counts of node groups; everything else stays as written. */
export function withCounts(cluster: string, documents: string, counts: Readonly<Record<string, number>>): string {
  return rewritten(documents, (document) => {
    const value = document.toJS() as Infrastructure;
    if (value.kind !== infrastructure.kind) return;
    const { nodeGroups } = value.spec;
    for (const [group, count] of Object.entries(counts))
      document.setIn(['spec', 'nodeGroups', indexOf(cluster, group, nodeGroups), 'count'], count);
  });
}

/** A group by its name, or the only one that has the role. */
function indexOf(cluster: string, asked: string, groups: readonly NodeGroup[]): number {
  const named = groups.findIndex(({ name }) => name === asked);
  if (named >= 0) return named;
  const withRole = groups.filter(({ roles }) => (roles as readonly string[]).includes(asked));
  const [only, ...more] = withRole;
  if (only && more.length === 0) return groups.indexOf(only);
  const known = groups.map(({ name, roles }) => `${name} (${roles.join(', ')})`).join(', ');
  throw new ProblemError(problem('NOVA8345', { cluster, group: asked, known }));
}
