import { buildCommand } from '../../build-command.ts';
import { group, nameText, type OutputFlags, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag, roleFlag } from '../../parameters.ts';
import type { ChangeFlags, CreateFlags } from './run.ts';

export const user = (t: Translate) =>
  group(
    t,
    { en: 'Manage users and their roles', ru: 'Управлять пользователями и ролями' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List users and their roles', ru: 'Показать пользователей и роли' },
        [],
        async () => (await import('./run.ts')).list,
      ),
      create: create(t),
      change: change(t),
      password: password(t),
      remove: remove(t),
    },
  );

const create = (t: Translate) =>
  buildCommand<CreateFlags, [name: string]>({
    loader: async () => (await import('./run.ts')).create,
    parameters: {
      flags: {
        role: roleFlag(t),
        noPassword: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Without a password: access only with tokens', ru: 'Без пароля: доступ только по токенам' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: namedArguments(t, nameText),
    },
    docs: {
      brief: t({ en: 'Add a user', ru: 'Добавить пользователя' }),
      fullDescription: t({
        en: `viewer reads, operator changes clusters, admin manages users. The password comes from a prompt or from standard
input, never from an argument: every user of a host can read arguments.`,
        ru: `viewer читает, operator меняет кластеры, admin управляет пользователями. Пароль запрашивается или читается из
стандартного ввода, но не передаётся аргументом: аргументы видны всем пользователям хоста.`,
      }),
      customUsage: [
        { input: 'anna --role operator', brief: t({ en: 'ask for a password', ru: 'спросить пароль' }) },
        { input: 'ci --role viewer --no-password', brief: t({ en: 'for a program', ru: 'для программы' }) },
      ],
    },
  });

const change = (t: Translate) =>
  buildCommand<ChangeFlags, [name: string]>({
    loader: async () => (await import('./run.ts')).change,
    parameters: {
      flags: { role: roleFlag(t), output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, nameText),
    },
    docs: {
      brief: t({ en: 'Change the role of a user', ru: 'Изменить роль пользователя' }),
      fullDescription: t({
        en: 'Takes effect at the next request, also for tokens: a token never allows more than its owner.',
        ru: `Действует со следующего запроса, в том числе для токенов: токен не разрешает больше, чем его владелец.`,
      }),
      customUsage: [
        {
          input: 'anna --role admin',
          brief: t({ en: 'make anna an administrator', ru: 'сделать anna администратором' }),
        },
      ],
    },
  });

const password = (t: Translate) =>
  buildCommand<OutputFlags, [name?: string]>({
    loader: async () => (await import('./run.ts')).password,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: {
        kind: 'tuple',
        parameters: [
          {
            parse: String,
            optional: true,
            placeholder: t(nameText),
            brief: t({ en: 'Name of the user [you]', ru: 'Имя пользователя [вы]' }),
          },
        ],
      },
    },
    docs: {
      brief: t({ en: 'Set a password', ru: 'Задать пароль' }),
      fullDescription: t({
        en: `To change your own password, you need the old one. Only administrators can set the password of another user.
Browser sessions of the user end. Without a terminal, the command reads the passwords from standard input, one per
line: for your own password, the old one and then the new one.`,
        ru: `Чтобы сменить свой пароль, нужен прежний. Чужой пароль задают только администраторы. Сеансы пользователя в
браузерах завершаются. Без терминала пароли читаются из стандартного ввода, по одному в строке: для своего —
сначала прежний, затем новый.`,
      }),
      customUsage: [
        { input: 'anna', brief: t({ en: 'the password of another user', ru: 'пароль другого пользователя' }) },
        { input: 'anna <password.txt', brief: t({ en: 'without a terminal', ru: 'без терминала' }) },
      ],
    },
  });

const remove = (t: Translate) =>
  buildCommand<OutputFlags, [name: string]>({
    loader: async () => (await import('./run.ts')).remove,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, nameText),
    },
    docs: {
      brief: t({ en: 'Remove a user with all tokens', ru: 'Удалить пользователя вместе с токенами' }),
      fullDescription: t({
        en: `Tokens and sessions of the user stop working at once. Entries in \`nova-ctl audit\` are kept. The last
administrator cannot be removed.`,
        ru: `Токены и сеансы пользователя сразу перестают действовать. Записи в \`nova-ctl audit\` остаются. Последнего
администратора удалить нельзя.`,
      }),
      customUsage: [{ input: 'anna', brief: t({ en: 'remove the user anna', ru: 'удалить пользователя anna' }) }],
    },
  });
