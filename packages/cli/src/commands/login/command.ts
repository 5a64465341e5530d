import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { LoginFlags } from './run.ts';

export const login = (t: Translate) =>
  buildCommand<LoginFlags, [url?: string]>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: {
        fingerprint: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: 'sha256',
          brief: t({
            en: 'Fingerprint of the server’s CA, as `nova-ctl up` shows it',
            ru: 'Отпечаток CA сервера, его показывает `nova-ctl up`',
          }),
        },
        user: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Name of your user', ru: 'Имя вашего пользователя' }),
        },
        token: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'token', ru: 'токен' }),
          brief: t({
            en: 'Token instead of a password; - reads it from standard input',
            ru: 'Токен вместо пароля; - читает его из стандартного ввода',
          }),
        },
        name: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Name of the context [the host]', ru: 'Имя контекста [имя хоста]' }),
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
              en: 'Address of Universe [that of the current context]',
              ru: 'Адрес Universe [из текущего контекста]',
            }),
          },
        ],
      },
    },
    docs: {
      brief: t({ en: 'Log in to Universe', ru: 'Войти в Universe' }),
      fullDescription: t({
        en: `From now on, commands use this Universe. The server is identified by the fingerprint of its CA: compare it with
the fingerprint that its administrator gave you. Before that, no secret is sent. The password comes from a
prompt or from standard input. Only the token is stored, for twelve hours, in a file that only you can read.`,
        ru: `С этого момента команды используют этот Universe. Сервер определяется отпечатком его CA: сравните его с тем, что
дал вам администратор. До этого секреты не отправляются. Пароль запрашивается или читается из стандартного
ввода. Хранится только токен, двенадцать часов, в файле, который можете читать только вы.`,
      }),
      customUsage: [
        { input: 'https://172.30.0.10', brief: t({ en: 'ask for name and password', ru: 'спросить имя и пароль' }) },
        { input: '--user anna', brief: t({ en: 'again, after the token expired', ru: 'снова, когда токен истёк' }) },
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
