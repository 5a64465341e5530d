import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { CreateFlags } from './run.ts';

export const network = (t: Translate) =>
  group(
    t,
    { en: 'Isolated networks on this box', ru: 'Изолированные сети на этой машине' },
    {
      create: buildCommand<CreateFlags, [name: string], Context>({
        loader: async () => (await import('./run.ts')).create,
        parameters: {
          flags: {
            cidr: {
              kind: 'parsed',
              parse: String,
              placeholder: 'a.b.c.d/n',
              brief: t({ en: 'Its addresses', ru: 'Её адреса' }),
            },
            output: outputFlag(t),
          },
          aliases: { o: 'output' },
          positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: t(nameText), brief: t(nameText) }] },
        },
        docs: {
          brief: t({ en: 'Make a network with a router of its own', ru: 'Создать сеть с собственным маршрутизатором' }),
          customUsage: [{ input: 'lab --cidr 10.30.0.0/24', brief: t({ en: 'a network called lab', ru: 'сеть lab' }) }],
        },
      }),
      list: simpleCommand<[]>(
        t,
        { en: 'List networks', ru: 'Перечислить сети' },
        [],
        async () => (await import('./run.ts')).list,
      ),
      show: simpleCommand<[name: string]>(
        t,
        {
          en: 'Draw a network: machines, router, NAT, routes, names',
          ru: 'Нарисовать сеть: машины, маршрутизатор, NAT, маршруты, имена',
        },
        [nameText],
        async () => (await import('./run.ts')).show,
      ),
      delete: simpleCommand<[name: string]>(
        t,
        { en: 'Remove a network', ru: 'Удалить сеть' },
        [nameText],
        async () => (await import('./run.ts')).remove,
      ),
    },
  );
