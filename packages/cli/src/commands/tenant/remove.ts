import { command } from '../../command.ts';
import { badValue } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { promptsOf } from '../../prompts.ts';
import { universeOf } from '../../universe.ts';

export interface RemoveFlags {
  yes?: boolean;
  output: Output;
}

export const remove = command<RemoveFlags, [cluster: string, name: string]>(async function (
  { yes = false, output },
  cluster,
  tenant,
) {
  const { io, t, style } = this;
  const { client } = universeOf(io);
  if (!yes) {
    const prompts = await promptsOf(this, output);
    if (!prompts)
      throw badValue('--yes', {
        en: '--yes: there is no terminal for questions',
        ru: '--yes: нет терминала, чтобы задать вопрос',
      });
    const question = t({
      en: `This deletes the namespace ${tenant} in ${cluster} with all its applications and data. Type the name of the team to confirm:`,
      ru: `Пространство имён ${tenant} в ${cluster} будет удалено со всеми приложениями и данными. Для подтверждения введите имя команды:`,
    });
    if ((await prompts.text(question, '')) !== tenant)
      return { data: undefined, text: t({ en: 'Nothing was deleted.', ru: 'Ничего не удалено.' }) };
  }
  await client.removeTenant({ params: { cluster, tenant } });
  const done = t({
    en: `The team ${tenant} is being removed from ${cluster}.`,
    ru: `Команда ${tenant} удаляется из ${cluster}.`,
  });
  return {
    data: { cluster, removed: tenant },
    text: [`${style.green('✓')} ${done}`, '', `  nova-ctl tenant list ${cluster}`].join('\n'),
  };
});
