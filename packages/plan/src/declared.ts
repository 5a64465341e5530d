import {
  type ClusterDocuments,
  checkCluster,
  type Environment,
  groupClusters,
  type Infrastructure,
  type LoadedDocument,
  type Problem,
  ProblemError,
  problem,
} from '@nova-platform/api';
import type { ClusterPlan } from './cluster-plan.ts';
import { machineKindOf } from './nodes.ts';
import { type PlanInput, planCluster } from './plan.ts';
import { defaultSite, type Site, siteNetworks, siteZones } from './site.ts';

/** Existing plans, as seen by one cluster. */
export interface ExistingPlans {
  /** The plan that the cluster was installed with. */
  current?: ClusterPlan | undefined;
  others: readonly ClusterPlan[];
}

export interface DeclaredClusters {
  clusters: ClusterDocuments[];
  documentCount: number;
  problems: Problem[];
  existingFor: (cluster: string) => ExistingPlans;
  site: Site;
}

export interface Planned {
  plan: ClusterPlan;
  current: ClusterPlan | undefined;
  documents: ClusterDocuments;
}

/** What documents leave to the server. */
export type Defaults = Pick<PlanInput, 'newestRelease' | 'hostKind'>;

/** Checks every cluster of the documents, also against each other and against existing plans. */
export function checkClusters(
  read: { documents: readonly LoadedDocument[]; problems: readonly Problem[] },
  existingFor: (cluster: string) => ExistingPlans,
  site: Site = defaultSite,
): DeclaredClusters {
  const { clusters, problems } = groupClusters(read.documents);
  const findings = clusters.flatMap((cluster) => {
    const { current, others } = existingFor(cluster.name);
    const declared = clusters.filter((other) => other !== cluster);
    // Documents take precedence over existing plans.
    const planned = others.filter((plan) => !declared.some(({ name }) => name === plan.cluster.name));
    return checkCluster(cluster, {
      siteNetworks: siteNetworks(site),
      siteZones: siteZones(site),
      clusters: [
        ...declared.map(({ name, infrastructure }) => neighbour(name, infrastructure.value.spec)),
        ...planned.map((plan) => neighbour(plan.cluster.name, plan.declared)),
      ],
      // A single cluster is compared with the installed one even if its name differs: a new name must be refused.
      ...(current &&
        (clusters.length === 1 || cluster.name === current.cluster.name) && {
          installed: current.declared,
          machineKinds: kindsOf(current),
        }),
    });
  });
  return {
    clusters,
    documentCount: read.documents.length,
    problems: [...read.problems, ...problems, ...findings],
    existingFor,
    site,
  };
}

function kindsOf({ cluster, nodes }: ClusterPlan): NonNullable<Environment['machineKinds']> {
  const byGroup = new Map(nodes.map((node) => [node.group, machineKindOf(node)]));
  return { default: machineKindOf(cluster), byGroup };
}

function neighbour(name: string, { clusterConfiguration }: Infrastructure['spec']) {
  const { nodeNetwork, dnsBaseDomain } = clusterConfiguration;
  return { name, nodeNetwork, dnsBaseDomain };
}

/** Checks documents against the plans of a server, which has a plan for every cluster. */
export function checkAgainstPlans(
  read: { documents: readonly LoadedDocument[]; problems: readonly Problem[] },
  plans: readonly ClusterPlan[],
  site?: Site,
): DeclaredClusters {
  const existingFor = (name: string) => ({
    current: plans.find(({ cluster }) => cluster.name === name),
    others: plans.filter(({ cluster }) => cluster.name !== name),
  });
  return checkClusters(read, existingFor, site);
}

/** Plans the only cluster of the documents, or the named one. */
export function planOf(
  { clusters, problems, existingFor, site }: DeclaredClusters,
  name: string | undefined,
  defaults: Defaults = {},
): Planned {
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
  const { current, others } = existingFor(documents.name);
  const { infrastructure, proxy } = documents;
  try {
    const plan = planCluster({
      infrastructure: infrastructure.value,
      proxy: proxy?.value,
      site,
      current,
      others,
      ...defaults,
    });
    return { plan, current, documents };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { yaml } = infrastructure;
    throw new ProblemError(...error.problems.map((each) => ({ ...each, place: yaml.locate(each.path) })));
  }
}
