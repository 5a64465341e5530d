import { type ClusterDocuments, checkCluster, groupClusters, type Problem } from '@nova-platform/api';
import { type ClusterPlan, defaultSite, siteNetworks } from '@nova-platform/plan';
import type { Io } from './io.ts';
import { readDocuments, readPlanFile } from './read.ts';

export interface ReadClusters {
  clusters: ClusterDocuments[];
  documentCount: number;
  problems: Problem[];
  current?: ClusterPlan | undefined;
  others: ClusterPlan[];
}

interface ClusterFlags {
  file?: readonly string[];
  against?: string;
  beside?: readonly string[];
}

/** Reads the named documents and checks every cluster among them, also against each other and against saved plans. */
export async function readClusters(
  io: Io,
  { file = ['cluster.yaml'], against, beside = [] }: ClusterFlags,
): Promise<ReadClusters> {
  const current = against === undefined ? undefined : await readPlanFile(io, against);
  const others = await Promise.all(beside.map((name) => readPlanFile(io, name)));
  const read = await readDocuments(io, file);
  const { clusters, problems } = groupClusters(read.documents);
  const findings = clusters.flatMap((cluster) =>
    checkCluster(cluster, {
      siteNetworks: siteNetworks(defaultSite),
      clusters: [
        ...clusters
          .filter((other) => other !== cluster)
          .map(({ name, infrastructure }) => ({
            name,
            nodeNetwork: infrastructure.value.spec.clusterConfiguration.nodeNetwork,
          })),
        ...others.map(({ cluster: { name }, declared }) => ({
          name,
          nodeNetwork: declared.clusterConfiguration.nodeNetwork,
        })),
      ],
      // One cluster given is the one that was installed, even under another name: that is what is to be refused.
      ...(current &&
        (clusters.length === 1 || cluster.name === current.cluster.name) && { installed: current.declared }),
    }),
  );
  return {
    clusters,
    documentCount: read.documents.length,
    problems: [...read.problems, ...problems, ...findings],
    current,
    others,
  };
}
