import { type ClusterDocuments, checkCluster, groupClusters, type Problem } from '@nova-platform/api';
import { type ClusterPlan, defaultSite, siteNetworks } from '@nova-platform/plan';
import type { Io } from './io.ts';
import { readDocuments, readPlanFile } from './read.ts';

/** What is there already, as far as a cluster is concerned. */
interface KnownPlans {
  /** The plan it was installed with. */
  current?: ClusterPlan | undefined;
  others: ClusterPlan[];
}

export interface ReadClusters {
  clusters: ClusterDocuments[];
  documentCount: number;
  problems: Problem[];
  knownFor: (cluster: string) => KnownPlans;
}

interface ClusterFlags {
  file?: readonly string[];
  against?: string;
  beside?: readonly string[];
}

/** Reads the named documents and checks every cluster among them, also against each other and against saved plans. */
export async function readClusters(io: Io, { file, against, beside = [] }: ClusterFlags): Promise<ReadClusters> {
  const current = against === undefined ? undefined : await readPlanFile(io, against);
  const others = await Promise.all(beside.map((name) => readPlanFile(io, name)));
  return checkedClusters(io, file, () => ({ current, others }));
}

/** The same against the plans of a server, where every cluster has its own. */
export function readClustersBeside(
  io: Io,
  file: readonly string[] | undefined,
  plans: readonly ClusterPlan[],
): Promise<ReadClusters> {
  return checkedClusters(io, file, (name) => ({
    current: plans.find(({ cluster }) => cluster.name === name),
    others: plans.filter(({ cluster }) => cluster.name !== name),
  }));
}

async function checkedClusters(
  io: Io,
  file: readonly string[] = ['cluster.yaml'],
  knownFor: (cluster: string) => KnownPlans,
): Promise<ReadClusters> {
  const read = await readDocuments(io, file);
  const { clusters, problems } = groupClusters(read.documents);
  const findings = clusters.flatMap((cluster) => {
    const { current, others } = knownFor(cluster.name);
    const declared = clusters.filter((other) => other !== cluster);
    // What the documents say of a cluster counts, not what was planned before.
    const planned = others.filter((plan) => !declared.some(({ name }) => name === plan.cluster.name));
    return checkCluster(cluster, {
      siteNetworks: siteNetworks(defaultSite),
      clusters: [
        ...declared.map(({ name, infrastructure }) => ({
          name,
          nodeNetwork: infrastructure.value.spec.clusterConfiguration.nodeNetwork,
        })),
        ...planned.map((plan) => ({
          name: plan.cluster.name,
          nodeNetwork: plan.declared.clusterConfiguration.nodeNetwork,
        })),
      ],
      // One cluster given is the one that was installed, even under another name: that is what is to be refused.
      ...(current &&
        (clusters.length === 1 || cluster.name === current.cluster.name) && { installed: current.declared }),
    });
  });
  return {
    clusters,
    documentCount: read.documents.length,
    problems: [...read.problems, ...problems, ...findings],
    knownFor,
  };
}
