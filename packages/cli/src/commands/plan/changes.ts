import type { Language } from '@nova-platform/api';
import { kindName } from '@nova-platform/change/view';
import type { Change } from '@nova-platform/plan';
import { translator } from '../../language.ts';
import type { Style } from '../../style.ts';
import { count } from '../../words.ts';

type ShownChange = Omit<Change, 'disruption'> & { disruption?: string };

/** Lists additions (+), changes (~) and removals (-); ! marks disruptions that users notice. */
export function changesAsText(
  cluster: string,
  changes: readonly ShownChange[],
  language: Language,
  style: Style,
): string {
  const t = translator(language);
  if (changes.length === 0)
    return t({
      en: `${style.green('✓')} ${cluster} has no changes.`,
      ru: `${style.green('✓')} ${cluster}: изменений нет.`,
    });
  const nodes = new Set(
    changes.filter(({ kind, action }) => kind === 'node' && action !== 'change').map(({ id }) => id),
  );
  // Certificates are created and removed with their nodes; only other certificate changes are listed.
  const isNews = ({ kind, id, action }: ShownChange) =>
    kind !== 'certificate' || action === 'change' || !nodes.has(id.split('/')[0] ?? '');
  const sign = { add: style.green('+'), change: style.yellow('~'), remove: style.red('-') };
  const lines = changes.filter(isNews).flatMap((change) => {
    const certificates =
      change.kind === 'node'
        ? changes.filter(({ kind, id }) => kind === 'certificate' && id.startsWith(`${change.id}/`)).length
        : 0;
    const along =
      nodes.has(change.id) && certificates > 0
        ? style.dim(t({ en: ` with ${certificates} certificates`, ru: ` и сертификатов: ${certificates}` }))
        : '';
    const mark = change.disruption ? `  ${style.yellow(`! ${change.disruption}`)}` : '';
    return [
      `${sign[change.action]} ${kindName(change.kind)[language]} ${style.bold(change.id)}${along}${mark}`,
      ...change.fields.map(({ name, before, after }) => `    ${name}: ${shown(before)} → ${shown(after)}`),
    ];
  });
  return [...lines, '', summary(changes, language)].join('\n');
}

function shown(value: unknown): string {
  if (value === undefined) return '∅';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function summary(changes: readonly ShownChange[], language: Language): string {
  const number = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  const disruptive = changes.filter(({ disruption }) => disruption).length;
  return translator(language)({
    en: `${number('add')} to add, ${number('change')} to change, ${number('remove')} to remove; ${count(disruptive, 'disruptive change', 'disruptive changes')}. Nothing was changed.`,
    ru: `Добавить: ${number('add')}, изменить: ${number('change')}, удалить: ${number('remove')}; заметно пользователям: ${disruptive}. Ничего не изменено.`,
  });
}
