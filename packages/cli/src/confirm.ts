import type { Context } from './context.ts';
import { Interrupted } from './failure.ts';

/** Whether a person at a terminal says yes; where nobody can be asked, nobody does. */
export async function confirmed({ io, t }: Context, question: string): Promise<boolean> {
  if (!io.stdin.isTTY || !io.stdout.isTTY) return false;
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    message: question,
    active: t({ en: 'yes', ru: 'да' }),
    inactive: t({ en: 'no', ru: 'нет' }),
    initialValue: false,
    input: io.stdin,
    output: io.stdout,
  });
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}
