import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { limitFlag, outputFlag } from '../../parameters.ts';
import type { AuditFlags } from './run.ts';

export const audit = (t: Translate) =>
  buildCommand<AuditFlags, []>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: {
        who: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Only requests of this user or node', ru: 'Только запросы этого пользователя или узла' }),
        },
        action: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Only this action, such as createUser', ru: 'Только это действие, например createUser' }),
        },
        object: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'text', ru: 'текст' }),
          brief: t({
            en: 'Only objects that contain this text, such as clusters/demo',
            ru: 'Только объекты, содержащие этот текст, например clusters/demo',
          }),
        },
        since: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'time', ru: 'время' }),
          brief: t({
            en: 'Only newer requests: 12h, 7d, 2026-01-31 or 2026-01-31T18:05',
            ru: 'Только более новые запросы: 12h, 7d, 2026-01-31 или 2026-01-31T18:05',
          }),
        },
        limit: limitFlag(t, '50'),
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({
        en: 'List requests: who did what, with which outcome',
        ru: 'Показать запросы: кто, что и с каким результатом',
      }),
      fullDescription: t({
        en: `Lists requests for changes, logins and refused requests. OUTCOME is the HTTP status: 200 is done, 401 and 403
are refused. A node is shown as node/NAME, root on Universe’s own machine as local. CREDENTIAL is the token,
session, password, login link, certificate or socket of the request. Below a request are the changed fields,
before → after; secrets are masked.`,
        ru: `Показывает запросы на изменение, входы и отказы. РЕЗУЛЬТАТ — код HTTP: 200 — выполнено, 401 и 403 — отказано.
Узел показан как node/ИМЯ, root на машине самого Universe — как local. УЧЁТНЫЕ ДАННЫЕ — токен, сеанс, пароль,
ссылка для входа, сертификат или сокет. Под запросом — изменённые поля: было → стало; секреты скрыты.`,
      }),
      customUsage: [
        { input: '--who anna --limit 20', brief: t({ en: 'requests of one user', ru: 'запросы одного пользователя' }) },
        {
          input: '--object clusters/demo --since 7d',
          brief: t({ en: 'changes of a cluster in the last week', ru: 'изменения кластера за неделю' }),
        },
        { input: '--limit 500 -o json', brief: t({ en: 'for programs', ru: 'для программ' }) },
      ],
    },
  });
