import type { Language } from '@nova-platform/api';
import type { CatalogChange, ParameterChange } from '@nova-platform/catalog';
import { translator } from './language.ts';
import { diffLines } from './line-diff.ts';
import { oneLine } from './outside.ts';
import type { Style } from './style.ts';

const mostLines = 40;
/** Placeholder that the server sends instead of a secret value. */
const sensitive = '[sensitive]';

/** The diff between two catalogs: + added, ~ changed, ↻ refreshed, − no longer managed. */
export function catalogChangesAsLines(changes: readonly CatalogChange[], language: Language, style: Style): string[] {
  const t = translator(language);
  const details = (change: CatalogChange): string[] => {
    if (change.kind === 'changed') return change.parameters.flatMap((each) => parameterLines(each, language, style));
    if (change.kind !== 'refreshed') return [];
    return [style.dim(`${t({ en: 'because of', ru: 'из-за' })} ${change.by.map((each) => oneLine(each)).join(', ')}`)];
  };
  const signs = {
    added: style.green('+'),
    changed: style.yellow('~'),
    refreshed: style.cyan('↻'),
    'no longer managed': style.red('−'),
  };
  const stays = t({ en: 'no longer managed; stays on the node', ru: 'больше не управляется; остаётся на узле' });
  return changes.flatMap((change) => {
    const notes = [...(change.piece ? [change.piece] : []), ...(change.kind === 'no longer managed' ? [stays] : [])];
    return [
      [`${signs[change.kind]} ${style.bold(oneLine(change.resource))}`, ...notes.map(style.dim)].join('  '),
      ...details(change).map((line) => `    ${line}`),
    ];
  });
}

/** Summarizes changes by kind, such as `2 added, 1 changed`. */
export function countOfChanges(changes: readonly CatalogChange[], language: Language): string {
  const t = translator(language);
  const words: Record<CatalogChange['kind'], { en: string; ru: string }> = {
    added: { en: 'added', ru: 'добавится' },
    changed: { en: 'changed', ru: 'изменится' },
    refreshed: { en: 'refreshed', ru: 'перезапустится' },
    'no longer managed': { en: 'no longer managed', ru: 'выйдет из-под управления' },
  };
  return (Object.keys(words) as CatalogChange['kind'][])
    .map((kind) => ({ kind, number: changes.filter((change) => change.kind === kind).length }))
    .filter(({ number }) => number > 0)
    .map(({ kind, number }) => t({ en: `${number} ${words[kind].en}`, ru: `${words[kind].ru}: ${number}` }))
    .join(', ');
}

function parameterLines({ parameter, from, to }: ParameterChange, language: Language, style: Style): string[] {
  const t = translator(language);
  if (from === sensitive && to === sensitive)
    return [`${parameter}: ${t({ en: 'a different secret', ru: 'другой секрет' })}`];
  if (from === undefined || to === undefined) return [`${parameter}: ${shown(from)} → ${shown(to)}`];
  const [before, after] = [listAsLines(from), listAsLines(to)];
  if (!(before.includes('\n') || after.includes('\n'))) return [`${parameter}: ${shown(from)} → ${shown(to)}`];
  const lines = diffLines(before, after);
  const hidden = lines.length - mostLines;
  return [
    `${parameter}:`,
    ...lines.slice(0, mostLines).map(({ sign, line }) => {
      const indent = /^ */.exec(line)?.[0] ?? '';
      return (sign === '+' ? style.green : style.red)(`  ${sign} ${indent}${oneLine(line)}`.trimEnd());
    }),
    ...(hidden > 0 ? [t({ en: `  … ${hidden} more lines`, ru: `  … ещё строк: ${hidden}` })] : []),
    ...(lines.length === 0 ? [t({ en: '  (a newline at the end)', ru: '  (перевод строки в конце)' })] : []),
  ];
}

/** Lists arrive as JSON; one line per element lets the line diff compare them. */
function listAsLines(value: string): string {
  if (!value.startsWith('["')) return value;
  try {
    return (JSON.parse(value) as string[]).join('\n');
  } catch {
    return value;
  }
}

function shown(value: string | undefined): string {
  return value === undefined ? '∅' : value === '' ? '""' : oneLine(value, 120);
}
