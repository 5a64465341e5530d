import { command } from '../../command.ts';
import { followOperation, lastEventOf } from '../../operation-follow.ts';
import type { Output } from '../../output.ts';
import { universeOf } from '../../universe.ts';
import { numberOf } from '../../values.ts';

export interface ResumeFlags {
  follow?: boolean;
  output: Output;
}

export const resume = command<ResumeFlags, [id: string]>(async function ({ follow = false, output }, text) {
  const { t, style } = this;
  const id = numberOf(text);
  const universe = universeOf(this.io);
  const after = follow ? await lastEventOf(universe, id) : 0;
  const operation = await universe.client.resumeOperation({ params: { id } });
  if (follow) return followOperation(this, universe, operation, { output, after });
  return {
    data: operation,
    text: [
      `${style.green('✓')} ${t({ en: `Operation ${id} is resumed.`, ru: `Операция ${id} продолжается.` })}`,
      '',
      `  nova-ctl operation show ${id} --follow   ${style.dim(t({ en: 'follow it', ru: 'следить' }))}`,
    ].join('\n'),
  };
});
