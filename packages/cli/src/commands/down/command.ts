import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { DownFlags } from './run.ts';

export const down = (t: Translate) =>
  buildCommand<DownFlags, [], Context>({
    loader: async () => (await import('./run.ts')).down,
    parameters: {
      flags: {
        purge: {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: t({ en: 'Remove everything, with all data', ru: 'Удалить всё вместе с данными' }),
        },
        keepCache: {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: t({
            en: 'With --purge: keep built programs and images, which take long to make',
            ru: 'С --purge: оставить собранные программы и образы: их долго собирать',
          }),
        },
        yes: {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: t({ en: 'Do not ask', ru: 'Не спрашивать' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output', y: 'yes' },
    },
    docs: {
      brief: t({
        en: 'Stop everything on this box; with --purge remove it',
        ru: 'Остановить всё на этой машине; с --purge удалить',
      }),
      fullDescription: t({
        en: `Stop everything on this box: Universe, all machines, networks, engine. Disks and data stay, and nova-ctl up
brings everything back as it was. With --purge nothing of it stays behind.

  nova-ctl down
  nova-ctl down --purge --keep-cache      as new, but without building everything again
  nova-ctl down --purge --yes             in scripts`,
        ru: `Остановить всё на этой машине: Universe, все машины, сети, движок. Диски и данные остаются, nova-ctl up вернёт
всё как было. С --purge не остаётся ничего.

  nova-ctl down
  nova-ctl down --purge --keep-cache      начать заново, но не собирать всё ещё раз
  nova-ctl down --purge --yes             в сценариях`,
      }),
    },
  });
