import { type DeclaredClusters, diffPlans, planOf } from '@nova-platform/plan';
import { readClusters, readClustersBeside, universeClusters } from '../../clusters.ts';
import { command } from '../../command.ts';
import type { Io } from '../../io.ts';
import type { Output } from '../../output.ts';
import { changesAsText } from './changes.ts';
import { planAsText } from './text.ts';

export interface PlanFlags {
  file?: readonly string[];
  cluster?: string;
  against?: string;
  beside?: readonly string[];
  offline?: boolean;
  output: Output;
}

export const run = command<PlanFlags, []>(async function (flags) {
  const { language, style } = this;
  const { plan, current } = planOf(await declaredClusters(this.io, flags), flags.cluster);
  if (!current) return { data: plan, text: planAsText(plan, language, style, this.io.stdout.columns) };

  const changes = diffPlans(current, plan).map(({ disruption, ...change }) => ({
    ...change,
    ...(disruption && { disruption: disruption[language] }),
  }));
  return { data: { plan, changes }, text: changesAsText(plan.cluster.name, changes, language, style) };
});

/** Beside the clusters of Universe, unless the user names other plans. */
async function declaredClusters(io: Io, flags: PlanFlags): Promise<DeclaredClusters> {
  const { file, against, beside, offline = false } = flags;
  const known = offline || against !== undefined || beside ? undefined : await universeClusters(io);
  return known ? readClustersBeside(io, file, known.plans, known.site) : readClusters(io, flags);
}
