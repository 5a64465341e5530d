import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { LoginFlags } from './run.ts';

export const login = (t: Translate) =>
  buildCommand<LoginFlags, [url?: string], Context>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: {
        fingerprint: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: 'sha256',
          brief: t({
            en: 'Fingerprint by which the server is known; `nova-ctl up` shows it',
            ru: 'Отпечаток, по которому узнаётся сервер; его показывает `nova-ctl up`',
          }),
        },
        user: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Who you are there', ru: 'Под каким именем войти' }),
        },
        token: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'token', ru: 'токен' }),
          brief: t({
            en: 'A token instead of a password; - reads it from standard input',
            ru: 'Токен вместо пароля; - читает его из стандартного ввода',
          }),
        },
        name: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'How to call this context [the host]', ru: 'Как назвать контекст [имя хоста]' }),
        },
        output: outputFlag(t),
      },
      aliases: { u: 'user', o: 'output' },
      positional: {
        kind: 'tuple',
        parameters: [
          {
            parse: String,
            optional: true,
            placeholder: 'URL',
            brief: t({
              en: 'Where Universe is; without it the current context logs in anew',
              ru: 'Где находится Universe; без него — новый вход в текущем контексте',
            }),
          },
        ],
      },
    },
    docs: {
      brief: t({ en: 'Log in to Universe', ru: 'Войти в Universe' }),
      fullDescription: t({
        en: 'Commands then speak to this Universe. The server is known by the fingerprint of its authority: compare it with what\nwhoever runs Universe tells you. Nothing is sent to a server that is not known by then.\nThe password is asked for, or is a line of standard input. Only a token is kept, for twelve hours, in a file of yours alone.',
        ru: 'Дальше команды обращаются к этому Universe. Сервер узнаётся по отпечатку его центра сертификации: сравните его с тем,\nчто сообщили те, кто управляет Universe. Неизвестному серверу ничего не отправляется.\nПароль запрашивается или читается строкой из стандартного ввода. Хранится только токен, двенадцать часов, в вашем личном файле.',
      }),
      customUsage: [
        { input: 'https://172.30.0.10', brief: t({ en: 'asks for everything', ru: 'спросит обо всём' }) },
        { input: '--user anna', brief: t({ en: 'again, when the token has ended', ru: 'снова, когда токен истёк' }) },
        {
          input: 'https://172.30.0.10 --fingerprint 3f1c… --user anna <password.txt',
          brief: t({ en: 'without a terminal', ru: 'без терминала' }),
        },
        {
          input: 'https://172.30.0.10 --fingerprint 3f1c… --token - <token.txt',
          brief: t({ en: 'for programs', ru: 'для программ' }),
        },
      ],
    },
  });
