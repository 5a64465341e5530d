import { buildCommand } from '../../build-command.ts';
import type { Context } from '../../context.ts';
import { group, nameText, type OutputFlags, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';

export const context = (t: Translate) =>
  group(
    t,
    { en: 'Choose the Universe that commands use', ru: 'Выбрать Universe для команд' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List known Universes', ru: 'Показать известные Universe' },
        [],
        async () => (await import('./run.ts')).list,
        {
          description: {
            en: `Commands use the current context, marked with *. NOVA_CONTEXT=NAME selects another one for one command. Contexts
are stored in ~/.config/nova/contexts.json; NOVA_CONTEXTS names another file.`,
            ru: `Команды используют текущий контекст, он отмечен *. NOVA_CONTEXT=ИМЯ выбирает другой для одной команды. Контексты
хранятся в ~/.config/nova/contexts.json; другой файл задаёт NOVA_CONTEXTS.`,
          },
        },
      ),
      use: buildCommand<OutputFlags, [name: string]>({
        loader: async () => (await import('./run.ts')).use,
        parameters: named(t),
        docs: {
          brief: t({ en: 'Switch to another context', ru: 'Перейти на другой контекст' }),
          fullDescription: t({
            en: 'From now on, commands use the Universe of this context.',
            ru: 'С этого момента команды используют Universe этого контекста.',
          }),
          customUsage: [
            {
              input: 'production',
              brief: t({ en: 'use the context production', ru: 'использовать контекст production' }),
            },
          ],
        },
      }),
      remove: buildCommand<OutputFlags, [name: string]>({
        loader: async () => (await import('./run.ts')).remove,
        parameters: named(t),
        docs: {
          brief: t({ en: 'Remove a context', ru: 'Удалить контекст' }),
          fullDescription: t({
            en: `Removes the address, the CA and the token from this host. The token stays valid until it expires: \`nova-ctl
logout\` revokes it.`,
            ru: `Удаляет с этого хоста адрес, CA и токен. Токен действует до истечения срока: отзывает его \`nova-ctl logout\`.`,
          }),
          customUsage: [
            {
              input: 'laboratory',
              brief: t({ en: 'remove the context laboratory', ru: 'удалить контекст laboratory' }),
            },
          ],
        },
      }),
    },
  );

const named = (t: Translate) =>
  ({
    flags: { output: outputFlag(t) },
    aliases: { o: 'output' },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          placeholder: t(nameText),
          brief: t(nameText),
          proposeCompletions: async function (this: Context, partial: string) {
            const { readContexts } = await import('../../contexts.ts');
            return Object.keys(readContexts(this.io).contexts).filter((name) => name.startsWith(partial));
          },
        },
      ],
    },
  }) as const;
