import { ovirtRoles } from '@nova-platform/contracts/ovirt';
import { buildCommand } from '../../../build-command.ts';
import { group, nameText, type OutputFlags, simpleCommand } from '../../../group.ts';
import type { Translate } from '../../../language.ts';
import { namedArguments, outputFlag, yesFlag } from '../../../parameters.ts';
import type { DisableFlags } from './run.ts';
import type { AddFlags } from './users.ts';

export const ovirt = (t: Translate) =>
  group(
    t,
    { en: 'An API for clients of oVirt and zVirt', ru: 'API для клиентов oVirt и zVirt' },
    {
      enable: simpleCommand<[]>(
        t,
        { en: 'Switch the API on', ru: 'Включить API' },
        [],
        async () => (await import('./run.ts')).enable,
        {
          description: {
            en: `Starts the API as an unprivileged user of its own, at the address of this host in the external network. This host
and Universe reach it; machines do not. It starts again with \`nova-ctl up\`. Without users nobody can log in: the
next step is \`nova-ctl host ovirt user add\`.`,
            ru: `Запускает API от имени отдельного непривилегированного пользователя, по адресу этого хоста во внешней сети.
API доступен хосту и Universe, но не машинам. После \`nova-ctl up\` он запускается снова. Без пользователей войти
нельзя, поэтому следующий шаг — \`nova-ctl host ovirt user add\`.`,
          },
        },
      ),
      disable: buildCommand<DisableFlags, []>({
        loader: async () => (await import('./run.ts')).disable,
        parameters: {
          flags: {
            purge: {
              kind: 'boolean',
              optional: true,
              withNegated: false,
              brief: t({
                en: 'Also remove users and all other data',
                ru: 'Удалить также пользователей и прочие данные',
              }),
            },
            yes: yesFlag(t),
            output: outputFlag(t),
          },
          aliases: { o: 'output', y: 'yes' },
        },
        docs: {
          brief: t({ en: 'Switch the API off', ru: 'Выключить API' }),
          fullDescription: t({
            en: `Machines and networks that were created through the API stay. Its users and their tokens, and what only clients of
oVirt know, such as tags, stay until the next start or until \`--purge\`.`,
            ru: `Машины и сети, созданные через API, остаются. Пользователи, токены и то, что знают только клиенты oVirt
(например, теги), остаются до следующего включения или до \`--purge\`.`,
          }),
          customUsage: [{ input: '--purge', brief: t({ en: 'also remove its data', ru: 'удалить и его данные' }) }],
        },
      }),
      status: simpleCommand<[]>(
        t,
        {
          en: 'Show whether the API is on, and its address',
          ru: 'Показать, включён ли API, и его адрес',
        },
        [],
        async () => (await import('./run.ts')).status,
      ),
      user: group(
        t,
        { en: 'Manage the users of the API', ru: 'Управлять пользователями API' },
        {
          add: add(t),
          list: simpleCommand<[]>(
            t,
            { en: 'List users, their roles and tokens', ru: 'Показать пользователей, роли и токены' },
            [],
            async () => (await import('./users.ts')).list,
          ),
          remove: simpleCommand<[name: string]>(
            t,
            { en: 'Remove a user with all tokens', ru: 'Удалить пользователя вместе с токенами' },
            [nameText],
            async () => (await import('./users.ts')).remove,
            { examples: [['terraform@internal', { en: 'its clients lose access', ru: 'его клиенты теряют доступ' }]] },
          ),
          password: password(t),
        },
      ),
    },
  );

const add = (t: Translate) =>
  buildCommand<AddFlags, [name: string]>({
    loader: async () => (await import('./users.ts')).add,
    parameters: {
      flags: {
        role: {
          kind: 'enum',
          values: ovirtRoles,
          brief: t({
            en: 'SuperUser changes everything, ReadOnlyAdmin only reads',
            ru: 'SuperUser меняет всё, ReadOnlyAdmin только читает',
          }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: namedArguments(t, nameText),
    },
    docs: {
      brief: t({ en: 'Add a user', ru: 'Добавить пользователя' }),
      fullDescription: t({
        en: `Names have a profile, as in oVirt: admin@internal. The password comes from a prompt or from standard input, never
from an argument: every user of a host can read arguments.`,
        ru: `Имя включает профиль, как в oVirt: admin@internal. Пароль запрашивается или читается из стандартного ввода, но
не передаётся аргументом: аргументы видны всем пользователям хоста.`,
      }),
      customUsage: [
        { input: 'admin@internal --role SuperUser', brief: t({ en: 'ask for a password', ru: 'спросить пароль' }) },
        {
          input: 'monitoring@internal --role ReadOnlyAdmin <password.txt',
          brief: t({ en: 'without a terminal', ru: 'без терминала' }),
        },
      ],
    },
  });

const password = (t: Translate) =>
  buildCommand<OutputFlags, [name: string]>({
    loader: async () => (await import('./users.ts')).password,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, nameText),
    },
    docs: {
      brief: t({ en: 'Set a password', ru: 'Задать пароль' }),
      fullDescription: t({
        en: 'The tokens of the user end. Without a terminal, the command reads the password from standard input.',
        ru: 'Токены пользователя перестают действовать. Без терминала пароль читается из стандартного ввода.',
      }),
      customUsage: [
        { input: 'admin@internal', brief: t({ en: 'ask for the new one', ru: 'спросить новый' }) },
        { input: 'admin@internal <password.txt', brief: t({ en: 'without a terminal', ru: 'без терминала' }) },
      ],
    },
  });
