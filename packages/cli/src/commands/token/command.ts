import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group, type OutputFlags, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag, roleFlag } from '../../parameters.ts';
import type { CreateFlags } from './run.ts';

export const token = (t: Translate) =>
  group(
    t,
    {
      en: 'Tokens with which people and programs use Universe',
      ru: 'Токены, с которыми люди и программы обращаются к Universe',
    },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List tokens', ru: 'Перечислить токены' },
        [],
        async () => (await import('./run.ts')).list,
        {
          en: 'Your own; for administrators everybody’s. The tokens themselves are nowhere to be seen: only their hash is kept.',
          ru: 'Ваши; для администратора — все. Сами токены посмотреть нельзя: хранится только их хеш.',
        },
      ),
      create: create(t),
      remove: remove(t),
    },
  );

const create = (t: Translate) =>
  buildCommand<CreateFlags, [], Context>({
    loader: async () => (await import('./run.ts')).create,
    parameters: {
      flags: {
        role: { ...roleFlag(t), default: 'viewer' },
        ttl: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'time', ru: 'время' }),
          brief: t({
            en: 'How long it is valid: 90m, 12h, 30d. Without it 30d, but no longer than your own token',
            ru: 'Сколько действует: 90m, 12h, 30d. Если не указано — 30d, но не дольше вашего токена',
          }),
        },
        name: {
          kind: 'parsed',
          parse: String,
          default: 'nova-ctl',
          placeholder: t({ en: 'text', ru: 'текст' }),
          brief: t({ en: 'What it is for', ru: 'Для чего он' }),
        },
        user: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Whose; your own when nobody is named', ru: 'Чей; если не указано — ваш' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'Make a token; it is shown once', ru: 'Создать токен; показывается один раз' }),
      fullDescription: t({
        en: 'For people and programs that use the API; nodes enrol with `nova-ctl config token create`.\nA token allows no more than its role, and never more than its owner or the token it is made with. It expires no later\nthan the token it is made with, and is revoked together with it. Programs send it as\n`Authorization: Bearer TOKEN`; git and registry clients take it as a password.',
        ru: 'Для людей и программ, которые обращаются к API; узлы регистрируются с `nova-ctl config token create`.\nТокен разрешает не больше, чем его роль, права владельца и токен, с которым он создан. Он истекает не позже\nэтого токена и отзывается вместе с ним. Программы передают его как\n`Authorization: Bearer ТОКЕН`; клиентам git и реестра он служит паролем.',
      }),
      customUsage: [
        { input: '--role viewer --ttl 30d --name monitoring', brief: t({ en: 'to look only', ru: 'только смотреть' }) },
        { input: '--role operator --ttl 12h --user ci -o json', brief: t({ en: 'for programs', ru: 'для программ' }) },
      ],
    },
  });

const remove = (t: Translate) =>
  buildCommand<OutputFlags, [id: string], Context>({
    loader: async () => (await import('./run.ts')).remove,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, { en: 'id', ru: 'номер' }),
    },
    docs: {
      brief: t({ en: 'Revoke a token', ru: 'Отозвать токен' }),
      fullDescription: t({
        en: 'From the next request on it is refused, and so is all that was made with it. `nova-ctl token list` shows the ids.',
        ru: 'Со следующего запроса он и всё, что с ним создано, не принимается. Номера: `nova-ctl token list`.',
      }),
      customUsage: [{ input: 'k3x7q2mfa5bd', brief: t({ en: 'by its id', ru: 'по номеру' }) }],
    },
  });
