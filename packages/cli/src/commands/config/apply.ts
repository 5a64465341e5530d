import { isDeepStrictEqual } from 'node:util';
import { type CatalogChange, secretsOf } from '@nova-platform/catalog';
import {
  allNodes,
  configClient,
  defaultSocket,
  type ListedNode,
  type NodeChanges,
} from '@nova-platform/config-manager/client';
import { type Planned, planOf } from '@nova-platform/plan';
import { catalogChangesAsLines, countOfChanges } from '../../catalog-changes.ts';
import { readClustersBeside } from '../../clusters.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { Interrupted } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { count } from '../../words.ts';

export interface ApplyFlags {
  file?: readonly string[];
  cluster?: string;
  yes?: boolean;
  output: Output;
}

export const apply = command<ApplyFlags, []>(async function ({ file, cluster, yes = false, output }) {
  const { io } = this;
  const client = configClient(defaultSocket(io.env));
  const planned = planOf(await readClustersBeside(io, file, await client.listPlans({})), cluster);
  const secrets = secretsOf(planned.documents.proxy?.value);
  const preview = await client.previewPlan({ body: { plan: planned.plan, secrets } });
  const known = await allNodes(client);
  const difference = differenceOf(planned, preview.nodes, known);

  const shown = differenceAsText(this, planned, difference);
  const canAsk = output === 'text' && io.stdin.isTTY === true && io.stdout.isTTY === true;
  if (!difference.isAny && !yes) return { data: dataOf(planned, difference, false), text: shown };
  if (!yes && !canAsk) return { data: dataOf(planned, difference, false), text: `${shown}\n\n${notApproved(this)}` };
  if (!yes) {
    io.stdout.write(`${shown}\n\n`);
    if (!(await confirmed(this, planned)))
      return { data: undefined, text: this.t({ en: 'Nothing was approved.', ru: 'Ничего не утверждено.' }) };
  }
  await client.approvePlan({ body: { plan: planned.plan, secrets, shown: preview.shown } });
  const approved = difference.isAny ? [approvedText(this, planned, known)] : [];
  return {
    data: dataOf(planned, difference, true),
    text: [...(yes ? [shown] : []), ...approved].join('\n\n'),
  };
});

interface Difference {
  nodes: (NodeChanges & { isFirst: boolean })[];
  /** Nodes of the plan that was applied before, which this one does not have. */
  removed: string[];
  isAny: boolean;
}

/** Nothing is stored of nodes that were never seen: for them, the plan tells whether anything changes. */
function differenceOf(
  { plan, current }: Planned,
  changes: readonly NodeChanges[],
  known: readonly ListedNode[],
): Difference {
  // As the server keeps it: in JSON, what is undefined is not there.
  const isSamePlan = isDeepStrictEqual(current, JSON.parse(JSON.stringify(plan)));
  const seen = new Set(known.filter(({ seenAt }) => seenAt !== undefined).map(({ name }) => name));
  const before = new Set(current?.nodes.map(({ name }) => name));
  const nodes = changes.map((each) => {
    const isFirst = !(seen.has(each.node) && before.has(each.node));
    return { ...each, isFirst, changes: isFirst && isSamePlan ? [] : each.changes };
  });
  const names = new Set(plan.nodes.map(({ name }) => name));
  const removed = [...before].filter((name) => !names.has(name));
  return { nodes, removed, isAny: !isSamePlan || nodes.some((each) => each.changes.length > 0) };
}

function dataOf({ plan }: Planned, { nodes, removed }: Difference, isApproved: boolean) {
  return { cluster: plan.cluster.name, isApproved, nodes, removed };
}

function differenceAsText({ t, language, style }: Context, { plan }: Planned, difference: Difference): string {
  const name = plan.cluster.name;
  const { nodes, removed, isAny } = difference;
  if (!isAny) {
    return `${style.green('✓')} ${t({ en: `${name} is approved as it is: nothing would change.`, ru: `${name} уже утверждён в этом виде: изменений нет.` })}`;
  }
  const changed = nodes.filter(({ changes }) => changes.length > 0);
  const same = nodes.length - changed.length;
  return [
    `${style.bold(name)} · ${t({ en: `${changed.length} of ${count(nodes.length, 'node', 'nodes')} would change`, ru: `изменится узлов: ${changed.length} из ${nodes.length}` })}`,
    '',
    ...alike(changed).flatMap((group) => {
      const names = style.bold(group.nodes.join(', '));
      if (group.isFirst) {
        const what = t({ en: 'first catalog', ru: 'первый каталог' });
        return [`${style.green('+')} ${names}`, `    ${what}: ${pieces(group.changes, t)}`];
      }
      return [
        `${style.yellow('~')} ${names}: ${countOfChanges(group.changes, language)}`,
        ...catalogChangesAsLines(group.changes, language, style).map((line) => `    ${line}`),
      ];
    }),
    ...removed.map(
      (each) =>
        `${style.red('−')} ${style.bold(each)}: ${t({ en: 'no longer planned; gets no catalog any more', ru: 'больше не запланирован; каталогов не получит' })}`,
    ),
    ...(same > 0 && changed.length > 0
      ? [
          style.dim(
            t({ en: `= ${count(same, 'node stays', 'nodes stay')} as planned`, ru: `= без изменений: ${same}` }),
          ),
        ]
      : []),
    ...(changed.length + removed.length === 0
      ? [
          t({
            en: 'Only the plan itself changes: what nodes get stays the same.',
            ru: 'Меняется только сам план: узлы получат то же самое.',
          }),
        ]
      : []),
  ].join('\n');
}

interface Alike {
  nodes: string[];
  isFirst: boolean;
  changes: CatalogChange[];
}

/** Nodes that would change in the same way are shown together; of first catalogs only the size is. */
function alike(nodes: Difference['nodes']): Alike[] {
  const groups = new Map<string, Alike>();
  for (const { node, isFirst, changes } of nodes) {
    const key = isFirst ? sizes(changes) : JSON.stringify(changes);
    const group = groups.get(key) ?? { nodes: [], isFirst, changes };
    group.nodes.push(node);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function sizes(changes: readonly CatalogChange[]): string {
  const amounts = Map.groupBy(changes, ({ piece = '' }) => piece);
  return [...amounts].map(([piece, { length }]) => `${piece} ${length}`).join(', ');
}

function pieces(changes: readonly CatalogChange[], t: Context['t']): string {
  const resources = t({
    en: count(changes.length, 'resource', 'resources'),
    ru: `ресурсов: ${changes.length}`,
  });
  return `${resources} (${sizes(changes)})`;
}

async function confirmed({ io, t }: Context, { plan }: Planned): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    message: t({ en: `Approve this for ${plan.cluster.name}?`, ru: `Утвердить это для ${plan.cluster.name}?` }),
    active: t({ en: 'yes', ru: 'да' }),
    inactive: t({ en: 'no', ru: 'нет' }),
    initialValue: false,
    input: io.stdin,
    output: io.stdout,
  });
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}

function notApproved({ t }: Context): string {
  return t({
    en: 'Nothing was approved. The same with --yes approves it.',
    ru: 'Ничего не утверждено. То же с --yes утвердит это.',
  });
}

function approvedText({ t, style }: Context, { plan }: Planned, known: readonly ListedNode[]): string {
  const enrolled = new Set(known.filter(({ identity }) => identity === 'valid').map(({ name }) => name));
  const isEnrolled = ({ name }: { name: string }) => enrolled.has(name);
  const some = plan.nodes.find(isEnrolled);
  const other = plan.nodes.find((node) => !isEnrolled(node));
  return [
    `${style.green('✓')} ${t({
      en: `${plan.cluster.name} is approved. Nodes take it up at their next run, within half an hour.`,
      ru: `${plan.cluster.name} утверждён. Узлы применят это при следующем запуске, в течение получаса.`,
    })}`,
    '',
    ...(some
      ? [`  nova-ctl node run ${some.name}   ${style.dim(t({ en: 'run it now', ru: 'запустить сейчас' }))}`]
      : []),
    ...(other
      ? [
          `  nova-ctl config token create --node ${other.name}   ${style.dim(t({ en: 'enrol a node', ru: 'зарегистрировать узел' }))}`,
        ]
      : []),
  ].join('\n');
}
