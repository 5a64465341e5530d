import { ProblemError, problem } from '@nova-platform/api';
import { secretsOf } from '@nova-platform/catalog';
import { isEmpty } from '@nova-platform/change/view';
import {
  allNodes,
  type ConfigClient,
  configClient,
  defaultSocket,
  type ListedNode,
} from '@nova-platform/contracts/config-manager/client';
import { isOutdated, type Planned, planOf } from '@nova-platform/plan';
import { changeAsText } from '../../change-text.ts';
import { readClustersBeside } from '../../clusters.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { Output } from '../../output.ts';
import { promptsOf } from '../../prompts.ts';
import { localSite } from '../../site.ts';

export interface ApplyFlags {
  file?: readonly string[];
  cluster?: string;
  yes?: boolean;
  output: Output;
}

export const apply = command<ApplyFlags, []>(async function ({ file, cluster, yes = false, output }) {
  const { io } = this;
  const client = configClient(defaultSocket(io.env));
  const plans = await client.listPlans({});
  const planned = planOf(await readClustersBeside(io, file, plans, await localSite()), cluster);
  assertReadable(plans, planned);
  const secrets = secretsOf(planned.documents.proxy?.value);
  const preview = await client.previewPlan({ body: { plan: planned.plan, secrets } });
  const known = await allNodes(client);
  const { change, digest } = preview;
  const hasChanges = !isEmpty(change);

  const shown = changeAsText(this, change);
  const prompts = yes ? undefined : await promptsOf(this, output);
  if (!hasChanges && !yes) return { data: { isApproved: false, change }, text: shown };
  if (!yes && !prompts) return { data: { isApproved: false, change }, text: `${shown}\n\n${notApproved(this)}` };
  if (prompts) {
    io.stderr.write(`${shown}\n\n`);
    const { name } = planned.plan.cluster;
    if (
      !(await prompts.yes(this.t({ en: `Approve these changes of ${name}?`, ru: `Утвердить эти изменения ${name}?` })))
    )
      return { data: undefined, text: this.t({ en: 'Nothing was approved.', ru: 'Ничего не утверждено.' }) };
  }
  await client.approvePlan({ body: { plan: planned.plan, secrets, digest } });
  const approved = hasChanges ? [approvedText(this, planned, known)] : [];
  return {
    data: { isApproved: true, change },
    text: [...(yes ? [shown] : []), ...approved].join('\n\n'),
  };
});

/** The addresses of a cluster with an unreadable plan are unknown, so another cluster could get the same ones. */
function assertReadable(plans: Awaited<ReturnType<ConfigClient['listPlans']>>, { plan }: Planned): void {
  const other = plans.filter(isOutdated).find(({ cluster }) => cluster.name !== plan.cluster.name);
  if (other) throw new ProblemError(problem('NOVA5005', { cluster: other.cluster.name, field: other.field }));
}

function notApproved({ t }: Context): string {
  return t({
    en: 'Nothing was approved. Run the command with --yes to approve the changes.',
    ru: 'Ничего не утверждено. Чтобы утвердить, добавьте --yes.',
  });
}

function approvedText({ t, style }: Context, { plan }: Planned, known: readonly ListedNode[]): string {
  const enrolled = new Set(known.filter(({ identity }) => identity === 'valid').map(({ name }) => name));
  const isEnrolled = ({ name }: { name: string }) => enrolled.has(name);
  const some = plan.nodes.find(isEnrolled);
  const other = plan.nodes.find((node) => !isEnrolled(node));
  return [
    `${style.green('✓')} ${t({
      en: `The configuration of ${plan.cluster.name} is approved. Nodes apply it at their next run, within half an hour.`,
      ru: `Конфигурация ${plan.cluster.name} утверждена. Узлы применят её при следующем запуске агента, в течение получаса.`,
    })}`,
    '',
    ...(some
      ? [
          `  nova-ctl node run ${some.name}   ${style.dim(t({ en: 'run the agent now', ru: 'запустить агент сейчас' }))}`,
        ]
      : []),
    ...(other
      ? [
          `  nova-ctl config token create --node ${other.name}   ${style.dim(t({ en: 'enrol a node', ru: 'зарегистрировать узел' }))}`,
        ]
      : []),
  ].join('\n');
}
