import type { RunReport, StoredReport } from '@nova-platform/contracts/config-manager/client';
import type { Context } from '../../context.ts';
import { oneLine } from '../../outside.ts';
import { ago, clock } from '../../time.ts';
import { count } from '../../words.ts';

type Change = RunReport['changes'][number];

/** The outcome of a run, in one word. */
export function statusText({ t, style }: Context, { status, isNoop }: Pick<RunReport, 'status' | 'isNoop'>): string {
  const word = {
    unchanged: t({ en: 'ok', ru: 'в порядке' }),
    changed: style.green(t({ en: 'changed', ru: 'были изменения' })),
    failed: style.red(t({ en: 'failed', ru: 'сбой' })),
  }[status];
  return isNoop ? `${word} ${style.dim('noop')}` : word;
}

/** The outcome of a run, in one line. */
export function summaryText({ t, style }: Context, report: RunReport): string {
  const { total, changed, corrective, failed, skipped } = report.resources;
  const would = new Set(report.changes.filter(({ outcome }) => outcome === 'would change').map((each) => each.resource))
    .size;
  const parts = [
    ...(failed > 0 ? [t({ en: `${failed} failed`, ru: `сбоев: ${failed}` })] : []),
    ...(skipped > 0 ? [t({ en: `${skipped} skipped`, ru: `пропущено: ${skipped}` })] : []),
    ...(changed > 0 ? [t({ en: `${changed} changed`, ru: `изменено: ${changed}` })] : []),
    ...(corrective > 0 && !report.isNoop
      ? [t({ en: `${corrective} of them reverted drift`, ru: `в том числе откачено ручных изменений: ${corrective}` })]
      : []),
    ...(would > 0 ? [t({ en: `${would} would change`, ru: `изменится: ${would}` })] : []),
  ];
  const rest =
    parts.length > 0
      ? parts.join(', ')
      : report.status === 'failed'
        ? t({ en: 'the run failed', ru: 'запуск не удался' })
        : t({ en: 'no changes', ru: 'изменений нет' });
  const all = t({
    en: `${count(total, 'resource', 'resources')}, ${seconds(report)} s: ${rest}.`,
    ru: `Ресурсов: ${total}, ${seconds(report)} с: ${rest}.`,
  });
  return `${report.status === 'failed' ? style.red('✗') : style.green('✓')} ${all}`;
}

export function seconds({ seconds: number }: Pick<RunReport, 'seconds'>): string {
  return number.toFixed(1);
}

/** A whole report: failures, then changes, skipped resources, and warnings of the agent. */
export function reportAsText(context: Context, name: string, report: StoredReport): string {
  const { t, style, language } = context;
  const section = (title: string, lines: readonly string[], amount: number = lines.length) =>
    lines.length === 0 ? [] : ['', style.bold(`${title} (${amount})`), ...lines.map((line) => `  ${line}`)];
  const failures = report.changes.filter(({ outcome }) => outcome === 'failed');
  const changes = report.changes.filter(({ outcome }) => outcome !== 'failed');
  const errors = report.log.filter(({ level }) => level !== 'warning');
  const warnings = report.log.filter(({ level }) => level === 'warning');
  const messages = (log: RunReport['log']) => log.map(({ message }) => oneLine(message, 400));
  return [
    [
      style.bold(name),
      statusText(context, report),
      `${clock(report.receivedAt)} (${ago(report.receivedAt, language)})`,
      ...(report.catalog === ''
        ? []
        : [t({ en: `catalog ${oneLine(report.catalog, 20)}`, ru: `каталог ${oneLine(report.catalog, 20)}` })]),
      t({ en: `agent ${oneLine(report.agentVersion, 20)}`, ru: `агент ${oneLine(report.agentVersion, 20)}` }),
    ].join(' · '),
    summaryText(context, report),
    ...section(
      t({ en: 'Failed', ru: 'Сбои' }),
      failures.flatMap((each) => [
        `${style.red('✗')} ${style.bold(oneLine(each.resource))}${each.piece ? style.dim(`  ${oneLine(each.piece)}`) : ''}`,
        `    ${oneLine(each.message, 400)}`,
      ]),
      failures.length,
    ),
    ...section(t({ en: 'Errors', ru: 'Ошибки' }), messages(errors)),
    ...section(
      report.isNoop ? t({ en: 'Would change', ru: 'Изменится' }) : t({ en: 'Changed', ru: 'Изменено' }),
      changeLines(context, changes),
      changes.length,
    ),
    ...section(
      t({ en: 'Skipped, because a dependency failed', ru: 'Пропущено из-за сбоя зависимости' }),
      report.skipped.map((each) => oneLine(each)),
    ),
    ...section(t({ en: 'Warnings', ru: 'Предупреждения' }), messages(warnings)),
  ].join('\n');
}

function changeLines({ t, style }: Context, changes: readonly Change[]): string[] {
  const drift = `  ${style.yellow(t({ en: 'drift', ru: 'ручное изменение' }))}`;
  return [...Map.groupBy(changes, ({ piece = '' }) => piece)].flatMap(([piece, ofPiece]) => [
    style.dim(piece === '' ? t({ en: 'other', ru: 'прочее' }) : oneLine(piece)),
    ...[...Map.groupBy(ofPiece, ({ resource }) => resource)].flatMap(([resource, ofResource]) => [
      `  ${style.bold(oneLine(resource))}`,
      ...ofResource.map((each) => `    ${changeText(each)}${each.isCorrective ? drift : ''}`),
    ]),
  ]);
}

/** Commands and refreshes have no previous value; their message describes what was done. */
function changeText({ property, from, to, message }: Change): string {
  if (from === '' && to === '') return oneLine(message);
  return `${oneLine(property)}: ${shown(from)} → ${shown(to)}`;
}

/** A few digits are enough to distinguish checksums. */
function shown(value: string): string {
  return value === '' ? '∅' : oneLine(value.replace(/^(\{\w+\}[\da-f]{8})[\da-f]+$/, '$1…'), 80);
}
