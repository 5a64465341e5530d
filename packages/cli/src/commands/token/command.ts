import { buildCommand } from '../../build-command.ts';
import { group, type OutputFlags, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag, roleFlag } from '../../parameters.ts';
import type { CreateFlags } from './run.ts';

export const token = (t: Translate) =>
  group(
    t,
    { en: 'Manage the tokens of users and programs', ru: 'Управлять токенами пользователей и программ' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List tokens', ru: 'Показать токены' },
        [],
        async () => (await import('./run.ts')).list,
        {
          description: {
            en: `Shows your tokens. Administrators see all tokens. The tokens themselves are not stored, only their hashes.`,
            ru: 'Показывает ваши токены. Администраторы видят все токены. Сами токены не хранятся, только их хеши.',
          },
        },
      ),
      create: create(t),
      remove: remove(t),
    },
  );

const create = (t: Translate) =>
  buildCommand<CreateFlags, []>({
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
            en: 'Lifetime: 90m, 12h, 30d [30d, at most that of your own token]',
            ru: 'Срок действия: 90m, 12h, 30d [30d, но не дольше вашего токена]',
          }),
        },
        name: {
          kind: 'parsed',
          parse: String,
          default: 'nova-ctl',
          placeholder: t({ en: 'text', ru: 'текст' }),
          brief: t({ en: 'Purpose of the token', ru: 'Назначение токена' }),
        },
        user: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Owner of the token [you]', ru: 'Владелец токена [вы]' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'Create a token; it is shown once', ru: 'Создать токен; показывается один раз' }),
      fullDescription: t({
        en: `For users and programs that call the API; nodes enrol with \`nova-ctl config token create\`. A token allows no
more than its role, its owner, and the token that created it. It expires no later than the token that created
it, and is revoked together with it. Programs send it as \`Authorization: Bearer TOKEN\`; git and registry clients
use it as password.`,
        ru: `Для пользователей и программ, которые обращаются к API; узлы регистрируются с \`nova-ctl config token create\`.
Токен разрешает не больше, чем его роль, его владелец и токен, с которым он создан. Он истекает не позже этого
токена и отзывается вместе с ним. Программы передают его как \`Authorization: Bearer ТОКЕН\`; клиентам git и
реестра он служит паролем.`,
      }),
      customUsage: [
        { input: '--role viewer --ttl 30d --name monitoring', brief: t({ en: 'read-only', ru: 'только для чтения' }) },
        { input: '--role operator --ttl 12h --user ci -o json', brief: t({ en: 'for programs', ru: 'для программ' }) },
      ],
    },
  });

const remove = (t: Translate) =>
  buildCommand<OutputFlags, [id: string]>({
    loader: async () => (await import('./run.ts')).remove,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, { en: 'id', ru: 'id' }),
    },
    docs: {
      brief: t({ en: 'Revoke a token', ru: 'Отозвать токен' }),
      fullDescription: t({
        en: `From the next request on, the token and all tokens created with it are refused. \`nova-ctl token list\` shows the
ids.`,
        ru: 'Со следующего запроса токен и все созданные с ним токены отклоняются. Показать id: `nova-ctl token list`.',
      }),
      customUsage: [
        {
          input: 'k3x7q2mfa5bd',
          brief: t({ en: 'revoke the token with this id', ru: 'отозвать токен с этим id' }),
        },
      ],
    },
  });
