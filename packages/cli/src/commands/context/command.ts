import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group, nameText, type OutputFlags, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';

export const context = (t: Translate) =>
  group(
    t,
    { en: 'Universes that nova-ctl knows', ru: 'Universe, известные nova-ctl' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List contexts', ru: 'Перечислить контексты' },
        [],
        async () => (await import('./run.ts')).list,
        {
          en: 'Commands speak to the current one, marked with *; NOVA_CONTEXT=NAME names another for one command.\nThey are kept in ~/.config/nova/contexts.json; NOVA_CONTEXTS names another file.',
          ru: 'Команды обращаются к текущему, он отмечен *; NOVA_CONTEXT=ИМЯ задаёт другой для одной команды.\nХранятся в ~/.config/nova/contexts.json; другой файл задаёт NOVA_CONTEXTS.',
        },
      ),
      use: buildCommand<OutputFlags, [name: string], Context>({
        loader: async () => (await import('./run.ts')).use,
        parameters: named(t),
        docs: {
          brief: t({ en: 'Speak to another Universe', ru: 'Обращаться к другому Universe' }),
          fullDescription: t({
            en: 'Makes a context the current one: commands speak to its Universe from now on.',
            ru: 'Делает контекст текущим: дальше команды обращаются к его Universe.',
          }),
          customUsage: [{ input: 'production', brief: t({ en: 'by its name', ru: 'по имени' }) }],
        },
      }),
      remove: buildCommand<OutputFlags, [name: string], Context>({
        loader: async () => (await import('./run.ts')).remove,
        parameters: named(t),
        docs: {
          brief: t({ en: 'Forget a Universe', ru: 'Забыть Universe' }),
          fullDescription: t({
            en: 'Forgets where it is, its authority and the token. The token stays valid until it ends: `nova-ctl logout` takes it back.',
            ru: 'Забывает адрес, центр сертификации и токен. Токен действует, пока не истечёт: отзывает его `nova-ctl logout`.',
          }),
          customUsage: [{ input: 'laboratory', brief: t({ en: 'by its name', ru: 'по имени' }) }],
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
