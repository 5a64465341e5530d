import { type ClusterDocuments, ProblemError, problem } from '@nova-platform/api';
import { type ClusterPlan, defaultSite, planCluster } from '@nova-platform/plan';
import type { ReadClusters } from './clusters.ts';

export interface Planned {
  plan: ClusterPlan;
  current: ClusterPlan | undefined;
  documents: ClusterDocuments;
}

/** Plans the only cluster of the documents, or the named one. */
export function planOf({ clusters, problems, knownFor }: ReadClusters, name: string | undefined): Planned {
  if (problems.length > 0) throw new ProblemError(...problems);
  const names = clusters.map((cluster) => cluster.name).join(', ');
  const [documents, ...more] = clusters.filter((cluster) => name === undefined || cluster.name === name);
  if (documents === undefined || more.length > 0) {
    throw new ProblemError(
      clusters.length === 0
        ? problem('NOVA5004', {})
        : problem('NOVA5003', { count: clusters.length, clusters: names }),
    );
  }
  const { current, others } = knownFor(documents.name);
  const { infrastructure, proxy } = documents;
  try {
    const plan = planCluster({
      infrastructure: infrastructure.value,
      proxy: proxy?.value,
      site: defaultSite,
      current,
      others,
    });
    return { plan, current, documents };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { yaml } = infrastructure;
    throw new ProblemError(...error.problems.map((each) => ({ ...each, place: yaml.locate(each.path) })));
  }
}
