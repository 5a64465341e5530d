import { command } from '../../command.ts';
import { badValue } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { oneLine } from '../../outside.ts';
import { configOf } from '../../services.ts';
import { ago, clock } from '../../time.ts';
import { table } from '../../tree.ts';
import { reportAsText, seconds, statusText } from './report-text.ts';

export interface ReportsFlags {
  last?: boolean;
  limit: string;
  output: Output;
}

export const reports = command<ReportsFlags, [name: string]>(async function ({ last = false, limit }, name) {
  const { t, io, language } = this;
  const found = await configOf(io).listReports({
    params: { name },
    query: { limit: last ? 1 : amount(limit) },
  });
  const [latest] = found;
  if (latest === undefined) {
    return {
      data: last ? null : [],
      text: t({
        en: `${name} has sent no report yet. To run its agent now: nova-ctl node run ${name}`,
        ru: `Узел ${name} ещё не присылал отчётов. Чтобы запустить агент сейчас: nova-ctl node run ${name}`,
      }),
    };
  }
  if (last) return { data: latest, text: reportAsText(this, name, latest) };
  const head = [
    t({ en: 'WHEN', ru: 'КОГДА' }),
    '',
    t({ en: 'STATUS', ru: 'РЕЗУЛЬТАТ' }),
    t({ en: 'CHANGED', ru: 'ИЗМЕНЕНО' }),
    t({ en: 'DRIFT', ru: 'ОТКАЧЕНО' }),
    t({ en: 'FAILED', ru: 'СБОЕВ' }),
    t({ en: 'SECONDS', ru: 'СЕКУНД' }),
    t({ en: 'CATALOG', ru: 'КАТАЛОГ' }),
  ];
  const rows = found.map((report) => [
    clock(report.receivedAt),
    ago(report.receivedAt, language),
    statusText(this, report),
    String(report.resources.changed),
    String(report.resources.corrective),
    String(report.resources.failed),
    seconds(report),
    oneLine(report.catalog, 20) || '—',
  ]);
  return {
    data: found,
    text: [
      ...table([head, ...rows]),
      '',
      t({
        en: `The last run in detail: nova-ctl node reports ${name} --last`,
        ru: `Последний запуск подробно: nova-ctl node reports ${name} --last`,
      }),
    ].join('\n'),
  };
});

function amount(limit: string): number {
  const number = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (number >= 1 && number <= 500) return number;
  throw badValue('--limit', { en: 'a number from 1 to 500', ru: 'число от 1 до 500' });
}
