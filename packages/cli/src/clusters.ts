import {
  type ClusterPlan,
  checkAgainstPlans,
  checkClusters,
  type DeclaredClusters,
  isOutdated,
  type OutdatedPlan,
  type Site,
} from '@nova-platform/plan';
import type { Io } from './io.ts';
import { readDocuments, readPlanFile } from './read.ts';
import { localSite } from './site.ts';

interface ClusterFlags {
  file?: readonly string[];
  against?: string;
  beside?: readonly string[];
}

const defaultFiles = ['cluster.yaml'];

/** Reads the named documents and validates every cluster in them, also against each other and against saved plans. */
export async function readClusters(io: Io, { file = defaultFiles, against, beside = [] }: ClusterFlags) {
  const current = against === undefined ? undefined : await readPlanFile(io, against);
  const others = await Promise.all(beside.map((name) => readPlanFile(io, name)));
  return checkClusters(await readDocuments(io, file), () => ({ current, others }), await localSite());
}

/** Like readClusters, but also against the plans of a server that this release can read. */
export async function readClustersBeside(
  io: Io,
  file: readonly string[] = defaultFiles,
  plans: readonly (ClusterPlan | OutdatedPlan)[],
  site: Site,
): Promise<DeclaredClusters> {
  const readable = plans.flatMap((plan) => (isOutdated(plan) ? [] : [plan]));
  return checkAgainstPlans(await readDocuments(io, file), readable, site);
}
