import type { Text } from '@nova-platform/api';
import type { Change } from './schema.ts';
import { type ChangeLine, summaryOf, viewOf } from './view.ts';

const mostDetails = 5;

/** The lines that readers see. */
export function linesOf(change: Change): ChangeLine[] {
  return viewOf(change).flatMap(({ lines }) => lines);
}

/** How a change differs from the one whose lines were shown; undefined if those are unknown. */
export function differenceOf(shown: readonly ChangeLine[] | undefined, now: Change): Text {
  if (!shown) {
    const { en, ru } = summaryOf(now);
    return { en: `The change is now: ${en}`, ru: `Теперь изменение такое: ${ru}` };
  }
  const lines = linesOf(now);
  const added = without(lines, shown);
  const gone = without(shown, lines);
  const inLanguage = (language: keyof Text, words: { added: string; gone: string }) =>
    [
      ...(added.length > 0 ? [`${words.added}: ${texts(added, language)}`] : []),
      ...(gone.length > 0 ? [`${words.gone}: ${texts(gone, language)}`] : []),
    ].join('. ');
  if (added.length + gone.length === 0)
    return {
      en: 'Only secrets or values that a preview does not show are different',
      ru: 'Отличаются только секреты или значения, которых нет в просмотре',
    };
  return {
    en: inLanguage('en', { added: 'New', gone: 'No longer included' }),
    ru: inLanguage('ru', { added: 'Добавилось', gone: 'Больше не входит' }),
  };
}

function without(lines: readonly ChangeLine[], others: readonly ChangeLine[]): ChangeLine[] {
  const known = new Set(others.map((each) => JSON.stringify(each)));
  return lines.filter((each) => !known.has(JSON.stringify(each)));
}

function texts(lines: readonly ChangeLine[], language: keyof Text): string {
  return lines
    .map((line) => {
      const { sign, subjects, text } = line;
      const details = detailsOf(line);
      const shown = [...details.slice(0, mostDetails), ...(details.length > mostDetails ? ['…'] : [])].join(', ');
      const about = [subjects.join(', '), text[language]].filter(Boolean).join(': ');
      return `${sign} ${about}${shown === '' ? '' : ` (${shown})`}`;
    })
    .join('; ');
}

/** Two lines can have the same text and differ only in these. */
function detailsOf({ fields, catalog }: ChangeLine): string[] {
  const value = (each: unknown) => (each === undefined ? '—' : typeof each === 'string' ? each : JSON.stringify(each));
  return [
    ...fields.map(({ name, before, after }) => `${name} ${value(before)} → ${value(after)}`),
    ...catalog.map(({ resource }) => resource),
  ];
}
