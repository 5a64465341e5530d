import { ProblemError, problem } from '@nova-platform/api';
import { command } from '../../command.ts';
import type { Output } from '../../output.ts';
import { promptsOf } from '../../prompts.ts';
import { universeOf } from '../../universe.ts';
import { numberOf } from '../../values.ts';

export interface CancelFlags {
  yes?: boolean;
  output: Output;
}

export const cancel = command<CancelFlags, [id: string]>(async function ({ yes = false, output }, text) {
  const { io, t, style, language } = this;
  const id = numberOf(text);
  const { client } = universeOf(io);
  if (!yes) {
    const prompts = await promptsOf(this, output);
    if (!prompts) throw new ProblemError(problem('NOVA6004', {}));
    const { title, lock } = await client.showOperation({ params: { id } });
    const what = [title[language], ...(lock === undefined ? [] : [lock])].join(' · ');
    const isMeant = await prompts.yes(
      t({
        en: `Cancel operation ${id} (${what}) and roll it back?`,
        ru: `Отменить операцию ${id} (${what}) и откатить её изменения?`,
      }),
    );
    if (!isMeant) {
      return { data: undefined, text: t({ en: 'Nothing was cancelled.', ru: 'Ничего не отменено.' }) };
    }
  }
  const operation = await client.cancelOperation({ params: { id } });
  return {
    data: operation,
    text: [
      `${style.green('✓')} ${t({ en: `Operation ${id} is being cancelled.`, ru: `Операция ${id} отменяется.` })}`,
      '',
      `  nova-ctl operation show ${id} --follow   ${style.dim(t({ en: 'follow it', ru: 'следить' }))}`,
    ].join('\n'),
  };
});
