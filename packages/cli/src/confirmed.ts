import type { Text } from '@nova-platform/api';
import type { Result } from './command.ts';
import type { Context } from './context.ts';
import type { Output } from './output.ts';
import { promptsOf } from './prompts.ts';

export interface ConfirmFlags {
  yes?: boolean;
  output: Output;
}

/**
 * Asks before something is lost. Returns the result of the command if nothing is to be done: the answer is no, or there is
 * neither a terminal nor `--yes`.
 */
export async function unconfirmed(
  context: Context,
  { yes = false, output }: ConfirmFlags,
  effect: Text,
  data: object,
): Promise<Result | undefined> {
  if (yes) return undefined;
  const { t } = context;
  const prompts = await promptsOf(context, output);
  const how = {
    en: 'Nothing was changed. To confirm, add --yes.',
    ru: 'Ничего не изменено. Для подтверждения добавьте --yes.',
  };
  if (!prompts) return { data, text: `${t(effect)}\n\n${t(how)}` };
  const question = { en: `${effect.en} Continue?`, ru: `${effect.ru} Продолжить?` };
  if (await prompts.yes(t(question))) return undefined;
  return { data, text: t({ en: 'Nothing was changed.', ru: 'Ничего не изменено.' }) };
}
