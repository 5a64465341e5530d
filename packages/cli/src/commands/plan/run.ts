import { ProblemError, problem } from '@nova-platform/api';
import { type ClusterPlan, defaultSite, diffPlans, planCluster } from '@nova-platform/plan';
import { type ReadClusters, readClusters } from '../../clusters.ts';
import { command } from '../../command.ts';
import type { Output } from '../../output.ts';
import { changesAsText } from './changes.ts';
import { planAsText } from './text.ts';

export interface PlanFlags {
  file?: readonly string[];
  cluster?: string;
  against?: string;
  beside?: readonly string[];
  output: Output;
}

export const run = command<PlanFlags, []>(async function (flags) {
  const { language, style } = this;
  const read = await readClusters(this.io, flags);
  if (read.problems.length > 0) throw new ProblemError(...read.problems);

  const plan = planOf(read, flags.cluster);
  if (!read.current) return { data: plan, text: planAsText(plan, language, style) };

  const changes = diffPlans(read.current, plan).map(({ disruption, ...change }) => ({
    ...change,
    ...(disruption && { disruption: disruption[language] }),
  }));
  return { data: { plan, changes }, text: changesAsText(plan.cluster.name, changes, language, style) };
});

function planOf({ clusters, current, others }: ReadClusters, name: string | undefined): ClusterPlan {
  const names = clusters.map((cluster) => cluster.name).join(', ');
  const [chosen, ...more] = clusters.filter((cluster) => name === undefined || cluster.name === name);
  if (chosen === undefined || more.length > 0) {
    throw new ProblemError(
      clusters.length === 0
        ? problem('NOVA5004', {})
        : problem('NOVA5003', { count: clusters.length, clusters: names }),
    );
  }
  try {
    return planCluster({
      infrastructure: chosen.infrastructure.value,
      proxy: chosen.proxy?.value,
      site: defaultSite,
      current,
      others,
    });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { yaml } = chosen.infrastructure;
    throw new ProblemError(...error.problems.map((each) => ({ ...each, place: yaml.locate(each.path) })));
  }
}
