import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group, nameText, type OutputFlags, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag, roleFlag } from '../../parameters.ts';
import type { ChangeFlags, CreateFlags } from './run.ts';

export const user = (t: Translate) =>
  group(
    t,
    { en: 'People who may use Universe', ru: 'Пользователи Universe' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List people and their roles', ru: 'Перечислить пользователей и роли' },
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
  buildCommand<CreateFlags, [name: string], Context>({
    loader: async () => (await import('./run.ts')).create,
    parameters: {
      flags: {
        role: roleFlag(t),
        noPassword: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Comes in with tokens only', ru: 'Вход только по токенам' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: namedArguments(t, nameText),
    },
    docs: {
      brief: t({ en: 'Let a person in', ru: 'Добавить пользователя' }),
      fullDescription: t({
        en: 'viewer looks, operator changes clusters, admin lets others in. The password is asked for twice, or is a line of\nstandard input; it is never an argument, which everybody on the host could read.',
        ru: 'viewer смотрит, operator меняет кластеры, admin управляет доступом. Пароль запрашивается дважды или читается\nстрокой из стандартного ввода; аргументом он не бывает: аргументы видны всем на хосте.',
      }),
      customUsage: [
        { input: 'anna --role operator', brief: t({ en: 'asks for a password', ru: 'спросит пароль' }) },
        { input: 'ci --role viewer --no-password', brief: t({ en: 'for a program', ru: 'для программы' }) },
      ],
    },
  });

const change = (t: Translate) =>
  buildCommand<ChangeFlags, [name: string], Context>({
    loader: async () => (await import('./run.ts')).change,
    parameters: {
      flags: { role: roleFlag(t), output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, nameText),
    },
    docs: {
      brief: t({ en: 'Give a person another role', ru: 'Изменить роль' }),
      fullDescription: t({
        en: 'Holds from the next request on, also for tokens: none allows more than its owner may do.',
        ru: 'Действует со следующего запроса, в том числе для токенов: токен не даёт больше прав, чем есть у владельца.',
      }),
      customUsage: [{ input: 'anna --role admin', brief: t({ en: 'may do everything', ru: 'может всё' }) }],
    },
  });

const password = (t: Translate) =>
  buildCommand<OutputFlags, [name?: string], Context>({
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
            brief: t({ en: 'Whose; your own when nobody is named', ru: 'Чей; если не указан — ваш' }),
          },
        ],
      },
    },
    docs: {
      brief: t({ en: 'Set a password', ru: 'Задать пароль' }),
      fullDescription: t({
        en: 'Your own asks for the one you have first. Of others only an administrator can set it. Sessions in browsers end with it.\nWithout a terminal passwords are lines of standard input: for your own the old one, then the new one.',
        ru: 'Для своего сначала спросит нынешний. Чужой задаёт только администратор. Сеансы в браузерах при этом завершаются.\nБез терминала пароли читаются строками из стандартного ввода: для своего сначала прежний, затем новый.',
      }),
      customUsage: [
        { input: 'anna', brief: t({ en: 'somebody else’s', ru: 'чужой' }) },
        { input: 'anna <password.txt', brief: t({ en: 'without a terminal', ru: 'без терминала' }) },
      ],
    },
  });

const remove = (t: Translate) =>
  buildCommand<OutputFlags, [name: string], Context>({
    loader: async () => (await import('./run.ts')).remove,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, nameText),
    },
    docs: {
      brief: t({ en: 'Remove a person with all tokens', ru: 'Удалить пользователя вместе с токенами' }),
      fullDescription: t({
        en: 'Tokens and sessions end at once. What the person did stays in `nova-ctl audit`. The last administrator stays.',
        ru: 'Токены и сеансы сразу перестают действовать. Сделанное остаётся в `nova-ctl audit`. Последнего администратора удалить нельзя.',
      }),
      customUsage: [{ input: 'anna', brief: t({ en: 'by name', ru: 'по имени' }) }],
    },
  });
