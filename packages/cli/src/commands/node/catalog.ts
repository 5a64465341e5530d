import { type CatalogChange, reference } from '@nova-platform/catalog';
import type { ShownResource } from '@nova-platform/contracts/config-manager/client';
import { catalogChangesAsLines, countOfChanges } from '../../catalog-changes.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import type { Output } from '../../output.ts';
import { oneLine } from '../../outside.ts';
import { configOf } from '../../services.ts';
import { ago } from '../../time.ts';
import { table } from '../../tree.ts';
import { count } from '../../words.ts';

export interface CatalogFlags {
  diff?: boolean;
  output: Output;
}

export const catalog = command<CatalogFlags, [name: string]>(async function ({ diff = false }, name) {
  const client = configOf(this.io);
  const approved = await client.showCatalog({ params: { name } });
  if (!diff) return { data: approved, text: catalogAsText(this, approved) };
  const difference = await client.showDifference({ params: { name } });
  const { version, approvedAt } = approved;
  return {
    data: { node: name, version, approvedAt, ...difference },
    text: differenceAsText(this, approved, difference),
  };
});

interface Approved {
  version: string;
  approvedAt: string;
  node: string;
  resources: readonly ShownResource[];
}

function heading({ t, style, language }: Context, { node, version, approvedAt, resources }: Approved): string {
  const when = ago(approvedAt, language);
  return `${style.bold(node)} · ${t({
    en: `catalog ${version}, approved ${when} · ${count(resources.length, 'resource', 'resources')}`,
    ru: `каталог ${version}, утверждён ${when} · ресурсов: ${resources.length}`,
  })}`;
}

function catalogAsText(context: Context, approved: Approved): string {
  const { t, style } = context;
  const groups = Map.groupBy(approved.resources, ({ piece = t({ en: 'other', ru: 'прочее' }) }) => piece);
  return [
    heading(context, approved),
    ...[...groups].flatMap(([piece, resources]) => [
      '',
      `${style.bold(piece)} ${style.dim(`(${resources.length})`)}`,
      ...table(
        resources.map((resource) => [`  ${oneLine(reference(resource), 70)}`, style.dim(mainParameters(resource, t))]),
      ),
    ]),
  ].join('\n');
}

/** The most informative parameters of a resource; the JSON output has all of them. */
const main: Partial<Record<ShownResource['type'], readonly string[]>> = {
  file: ['ensure', 'mode', 'owner', 'group', 'target', 'content'],
  exec: ['command', 'creates', 'unless', 'onlyif', 'refreshonly'],
};

function mainParameters({ type, parameters }: ShownResource, t: Translate): string {
  return (main[type] ?? Object.keys(parameters))
    .filter((name) => parameters[name] !== undefined)
    .map((name) => `${name} ${parameterText(String(parameters[name]), t)}`)
    .join(', ');
}

function parameterText(value: string, t: Translate): string {
  if (!value.includes('\n')) return oneLine(value, 60);
  const lines = value.replace(/\n$/, '').split('\n').length;
  return t({ en: count(lines, 'line', 'lines'), ru: `строк: ${lines}` });
}

function differenceAsText(
  context: Context,
  approved: Approved,
  { sinceLastRun, pending }: { sinceLastRun: CatalogChange[]; pending: CatalogChange[] },
): string {
  const { t, style, language } = context;
  const section = (title: string, changes: CatalogChange[], hint: string) => [
    '',
    `${style.bold(title)}: ${changes.length === 0 ? t({ en: 'none', ru: 'нет' }) : countOfChanges(changes, language)}`,
    ...catalogChangesAsLines(changes, language, style).map((line) => `  ${line}`),
    ...(changes.length === 0 ? [] : ['', `  ${hint}`]),
  ];
  return [
    heading(context, approved),
    ...section(
      t({ en: 'Catalog changes since the last run', ru: 'Изменения каталога после последнего запуска' }),
      sinceLastRun,
      t({
        en: `apply now: nova-ctl node run ${approved.node}`,
        ru: `применить сейчас: nova-ctl node run ${approved.node}`,
      }),
    ),
    ...section(
      t({ en: 'Not approved yet', ru: 'Ещё не утверждено' }),
      pending,
      t({ en: 'approve: nova-ctl config apply', ru: 'утвердить: nova-ctl config apply' }),
    ),
  ].join('\n');
}
