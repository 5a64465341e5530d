import type { Change } from '@nova-platform/change';
import { type ChangeLine, type ChangeSection, type Sign, viewOf } from '@nova-platform/change/view';
import { catalogChangesAsLines } from './catalog-changes.ts';
import type { Look } from './operation-tree.ts';
import { oneLine } from './outside.ts';

const longestValue = 120;

/** A change of a cluster, as text for a terminal. */
export function changeAsText(look: Look, change: Change): string {
  const { t, style } = look;
  const { cluster, isNew } = change;
  const sections = viewOf(change);
  if (sections.length === 0)
    return `${style.green('✓')} ${t({ en: `${cluster} has no changes.`, ru: `${cluster}: изменений нет.` })}`;
  const title = isNew ? t({ en: 'will be created', ru: 'будет создан' }) : t({ en: 'will change', ru: 'изменится' });
  return [
    `${style.bold(cluster)} ${title}`,
    ...sections.flatMap((section) => ['', ...sectionAsLines(look, section)]),
  ].join('\n');
}

/** The change that was approved with an operation. */
export function approvedChangeAsLines(look: Look, change: Change): string[] {
  return viewOf(change).flatMap((section) => [...sectionAsLines(look, section), '']);
}

function sectionAsLines(look: Look, { title, lines }: ChangeSection): string[] {
  return [look.t(title), ...lines.flatMap((line) => lineAsText(look, line))];
}

function lineAsText({ t, language, style }: Look, { sign, subjects, text, fields, catalog }: ChangeLine): string[] {
  const colours: Record<Sign, (text: string) => string> = {
    '+': style.green,
    '~': style.yellow,
    '−': style.red,
    '!': style.yellow,
  };
  const what = subjects.length === 0 ? t(text) : `${style.bold(subjects.join(', '))}: ${t(text)}`;
  return [
    `  ${colours[sign](sign)} ${what}`,
    ...fields.map(({ name, before, after }) => `      ${name}: ${shown(before)} → ${shown(after)}`),
    ...catalogChangesAsLines(catalog, language, style).map((each) => `      ${each}`),
  ];
}

function shown(value: unknown): string {
  if (value === undefined) return '∅';
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), longestValue);
}
