import { buildCommand } from '../../build-command.ts';
import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { CreateFlags } from './run.ts';

export const network = (t: Translate) =>
  group(
    t,
    { en: 'Manage the networks of this host', ru: 'Управлять сетями этого хоста' },
    {
      create: buildCommand<CreateFlags, [name: string]>({
        loader: async () => (await import('./run.ts')).create,
        parameters: {
          flags: {
            cidr: {
              kind: 'parsed',
              parse: String,
              placeholder: 'a.b.c.d/n',
              brief: t({ en: 'Addresses of the network', ru: 'Адреса сети' }),
            },
            output: outputFlag(t),
          },
          aliases: { o: 'output' },
          positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: t(nameText), brief: t(nameText) }] },
        },
        docs: {
          brief: t({ en: 'Create a network with its own router', ru: 'Создать сеть с собственным маршрутизатором' }),
          customUsage: [{ input: 'lab --cidr 10.30.0.0/24', brief: t({ en: 'a network called lab', ru: 'сеть lab' }) }],
        },
      }),
      list: simpleCommand<[]>(
        t,
        { en: 'List networks', ru: 'Показать сети' },
        [],
        async () => (await import('./run.ts')).list,
      ),
      show: simpleCommand<[name: string]>(
        t,
        {
          en: 'Show a network: machines, router, NAT, routes, names',
          ru: 'Показать сеть: машины, маршрутизатор, NAT, маршруты, имена',
        },
        [nameText],
        async () => (await import('./run.ts')).show,
      ),
      delete: simpleCommand<[name: string]>(
        t,
        { en: 'Delete a network', ru: 'Удалить сеть' },
        [nameText],
        async () => (await import('./run.ts')).remove,
      ),
    },
  );
