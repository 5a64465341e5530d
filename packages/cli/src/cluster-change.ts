import type { ListedNode } from '@nova-platform/config-manager/client';
import type { ClusterPlan } from '@nova-platform/plan';
import type { Operation, Preview } from '@nova-platform/universe/client';
import { dataOf, differenceAsText, differenceOf } from './cluster-difference.ts';
import type { Result } from './command.ts';
import type { Context } from './context.ts';
import { followOperation } from './operation-follow.ts';
import type { Output } from './output.ts';
import { promptsOf } from './prompts.ts';
import type { UniverseAccess } from './universe.ts';

interface Change {
  preview: Preview;
  /** The plan that was approved before. */
  current: ClusterPlan | undefined;
  known: readonly ListedNode[];
  /** Starts the operation that does it. */
  start: () => Promise<{ operation: Operation }>;
}

/** Shows what would change in a cluster, asks, does exactly that, and shows how it goes. */
export async function changeCluster(
  context: Context,
  universe: UniverseAccess,
  { preview, current, known, start }: Change,
  { yes = false, output }: { yes?: boolean | undefined; output: Output },
): Promise<Result> {
  const { io, t } = context;
  // What is done is the server's plan, which knows its site.
  const plan = preview.plan as ClusterPlan;
  const plans = { plan, current };
  const { name } = plan.cluster;
  const difference = differenceOf(plans, preview.nodes, known, preview);
  const text = differenceAsText(context, plans, difference);
  const { machines, unfinished } = difference;
  const data = { ...dataOf(plans, difference, false), machines, ...(unfinished !== undefined && { unfinished }) };
  if (!difference.isAny) return { data, text };
  if (!yes) {
    const prompts = await promptsOf(context, output);
    const how = t({
      en: 'Nothing was done. The same with --yes does it.',
      ru: 'Ничего не сделано. То же с --yes выполнит это.',
    });
    if (!prompts) return { data, text: `${text}\n\n${how}` };
    io.stderr.write(`${text}\n\n`);
    if (!(await prompts.yes(t({ en: `Do this for ${name}?`, ru: `Выполнить это для ${name}?` }))))
      return { data, text: t({ en: 'Nothing was done.', ru: 'Ничего не сделано.' }) };
  }
  const { operation } = await start();
  return followOperation(context, universe, operation, { output });
}
