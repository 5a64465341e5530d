import { stripVTControlCharacters } from 'node:util';
import { visible } from '@nova-platform/api';
import type { StoredReport } from '@nova-platform/contracts/config-manager/client';
import { command } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { Output } from '../../output.ts';
import { progressOf } from '../../progress.ts';
import { configOf } from '../../services.ts';
import type { Style } from '../../style.ts';
import { summaryText } from './report-text.ts';

export interface RunFlags {
  noop?: boolean;
  output: Output;
}

export const run = command<RunFlags, [name: string]>(async function ({ noop = false, output }, name) {
  const { t, io, style } = this;
  const progress = progressOf(this);
  const lines: string[] = [];
  let report: StoredReport | undefined;
  try {
    await configOf(io).runAgent({ params: { name }, body: { isNoop: noop } }, (event) => {
      if ('state' in event) {
        if (event.state === 'waiting') {
          progress.say(
            t({
              en: `${name} is busy or unreachable: waiting up to 90 seconds.`,
              ru: `${name} занят или недоступен: ожидание до 90 секунд.`,
            }),
          );
        } else progress.end();
      } else if ('report' in event) report = event.report;
      else {
        const line = visible(stripVTControlCharacters(event.line));
        lines.push(line);
        if (output === 'text') io.stdout.write(`${coloured(line, style)}\n`);
      }
    });
  } finally {
    progress.end();
  }
  const isFailed = report === undefined || report.status === 'failed';
  return {
    data: { node: name, isNoop: noop, lines, report: report ?? null },
    text: report
      ? [
          summaryText(this, report),
          ...(report.changes.length > 0 || isFailed ? [style.dim(`  nova-ctl node reports ${name} --last`)] : []),
        ].join('\n')
      : `${style.red('✗')} ${t({ en: 'The run ended without a report: see the log above.', ru: 'Запуск закончился без отчёта: смотрите журнал выше.' })}`,
    exitCode: isFailed ? exitCodes.failed.code : exitCodes.done.code,
  };
});

/** Agents prefix each line with its severity. */
function coloured(line: string, style: Style): string {
  if (line.startsWith('Error:')) return style.red(line);
  if (line.startsWith('Warning:')) return style.yellow(line);
  return line.startsWith('Info:') || line.startsWith('Debug:') ? style.dim(line) : line;
}
