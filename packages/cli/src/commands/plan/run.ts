import { diffPlans, planOf } from '@nova-platform/plan';
import { readClusters } from '../../clusters.ts';
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
  const { plan, current } = planOf(await readClusters(this.io, flags), flags.cluster);
  if (!current) return { data: plan, text: planAsText(plan, language, style) };

  const changes = diffPlans(current, plan).map(({ disruption, ...change }) => ({
    ...change,
    ...(disruption && { disruption: disruption[language] }),
  }));
  return { data: { plan, changes }, text: changesAsText(plan.cluster.name, changes, language, style) };
});
