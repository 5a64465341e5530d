import type { MachineKind } from '@nova-platform/api';
import { type DeclaredClusters, diffPlans, planOf } from '@nova-platform/plan';
import { readClusters, readClustersBeside, universeClusters } from '../../clusters.ts';
import { command } from '../../command.ts';
import type { Io } from '../../io.ts';
import type { Output } from '../../output.ts';
import { changesAsText } from './changes.ts';
import { emulationWarning, planAsText } from './text.ts';

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
  const { declared, hostKind } = await declaredClusters(this.io, flags);
  const { plan, current } = planOf(declared, flags.cluster, { hostKind });
  const options = { language, style, width: this.io.stdout.columns, hostKind };
  if (!current) return { data: plan, text: planAsText(plan, options) };

  const changes = diffPlans(current, plan).map(({ disruption, ...change }) => ({
    ...change,
    ...(disruption && { disruption: disruption[language] }),
  }));
  const text = [
    ...emulationWarning(plan, current, options),
    changesAsText(plan.cluster.name, changes, language, style),
  ];
  return { data: { plan, changes }, text: text.join('\n') };
});

/** Beside the clusters of Universe, unless the user names other plans. */
async function declaredClusters(
  io: Io,
  flags: PlanFlags,
): Promise<{ declared: DeclaredClusters; hostKind?: MachineKind | undefined }> {
  const { file, against, beside, offline = false } = flags;
  const known = offline || against !== undefined || beside ? undefined : await universeClusters(io);
  if (!known) return { declared: await readClusters(io, flags) };
  return { declared: await readClustersBeside(io, file, known.plans, known.site), hostKind: known.hostKind };
}
