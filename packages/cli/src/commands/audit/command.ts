import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { limitFlag, outputFlag } from '../../parameters.ts';
import type { AuditFlags } from './run.ts';

export const audit = (t: Translate) =>
  buildCommand<AuditFlags, [], Context>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: {
        who: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Only what this one did', ru: 'Только его действия' }),
        },
        limit: limitFlag(t, '50'),
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'Who did what, with which outcome', ru: 'Кто что делал и с каким исходом' }),
      fullDescription: t({
        en: 'Every change that was requested from Universe, logins, and refused requests. OUTCOME is the HTTP status: 200 done,\n401 and 403 refused. Nodes are named node/NAME, root on Universe’s own machine is local. CREDENTIAL is the token,\nsession, password, login link, certificate or socket that was used. Below an entry are the fields that changed,\nbefore → after; secrets are masked.',
        ru: 'Все запросы на изменение, входы и отказы. ИСХОД — код HTTP: 200 выполнено, 401 и 403 отказано.\nУзлы записаны как node/ИМЯ, root на машине самого Universe — local. С ЧЕМ — токен, сессия, пароль, ссылка для входа,\nсертификат или сокет. Под записью — изменённые поля: было → стало; секреты скрыты.',
      }),
      customUsage: [
        { input: '--who anna --limit 20', brief: t({ en: 'of one person', ru: 'одного человека' }) },
        { input: '--limit 500 -o json', brief: t({ en: 'for programs', ru: 'для программ' }) },
      ],
    },
  });
