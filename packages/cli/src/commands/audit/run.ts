import { command } from '../../command.ts';
import type { Output } from '../../output.ts';
import { oneLine } from '../../outside.ts';
import type { Style } from '../../style.ts';
import { clock } from '../../time.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';
import { limitOf, pastTime } from '../../values.ts';

export interface AuditFlags {
  who?: string;
  action?: string;
  object?: string;
  since?: string;
  limit: string;
  output: Output;
}

export const run = command<AuditFlags, []>(async function ({ who, action: call, object, since, limit }) {
  const { io, t, style } = this;
  const query = {
    ...(who !== undefined && { who }),
    ...(call !== undefined && { action: call }),
    ...(object !== undefined && { target: object }),
    ...(since !== undefined && { since: pastTime('--since', since, new Date()).toISOString() }),
    limit: limitOf(limit),
  };
  const { entries } = await universeOf(io).client.listAudit({ query });
  if (entries.length === 0) return { data: { entries }, text: t({ en: 'There are no entries.', ru: 'Записей нет.' }) };
  const head = [
    t({ en: 'TIME', ru: 'ВРЕМЯ' }),
    t({ en: 'WHO', ru: 'КТО' }),
    t({ en: 'CREDENTIAL', ru: 'УЧЁТНЫЕ ДАННЫЕ' }),
    t({ en: 'FROM', ru: 'ОТКУДА' }),
    t({ en: 'ACTION', ru: 'ДЕЙСТВИЕ' }),
    t({ en: 'OBJECT', ru: 'ОБЪЕКТ' }),
    t({ en: 'OUTCOME', ru: 'РЕЗУЛЬТАТ' }),
  ];
  const rows = entries.map(({ at, who: name, credential = '—', from, action, target, outcome }) => [
    clock(at),
    oneLine(name, 40),
    oneLine(credential, 60),
    oneLine(from),
    oneLine(action),
    oneLine(target),
    outcomeText(style, outcome),
  ]);
  const [title = '', ...lines] = table([head, ...rows], { width: io.stdout.columns, yielding: 5 });
  const changed = entries.map(({ changes = [] }) => changes.map((change) => style.dim(`  ${changeText(change)}`)));
  const text = [title, ...lines.flatMap((line, index) => [line, ...(changed[index] ?? [])])].join('\n');
  return { data: { entries }, text };
});

function changeText({ field, before = '—', after = '—' }: { field: string; before?: string; after?: string }): string {
  return `${oneLine(field)}: ${oneLine(before)} → ${oneLine(after)}`;
}

function outcomeText(style: Style, outcome: number): string {
  if (outcome < 400) return style.green(String(outcome));
  return outcome < 500 ? style.yellow(String(outcome)) : style.red(String(outcome));
}
