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
          brief: t({
            en: 'Remove everything with all data, but keep what was built',
            ru: 'Удалить всё вместе с данными, сохранив собранное',
          }),
        },
        caches: {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: t({
            en: 'With --purge: also remove built programs and images, which take half an hour to build',
            ru: 'С --purge: удалить и собранные программы и образы, сборка которых занимает полчаса',
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
        en: 'Stop everything on this host; with --purge remove it',
        ru: 'Остановить всё на этом хосте; с --purge удалить',
      }),
      fullDescription: t({
        en: `Stop everything on this host: Universe, all machines, networks, engine. Disks and data stay, and nova-ctl up
brings everything back. With --purge all of it is removed, except built programs and images in /var/cache/nova: building
them takes half an hour, and the next nova-ctl up uses them again.

  nova-ctl down
  nova-ctl down --purge                   start anew without building everything again
  nova-ctl down --purge --caches          remove built programs and images, too
  nova-ctl down --purge --yes             in scripts`,
        ru: `Остановить всё на этом хосте: Universe, все машины, сети, движок. Диски и данные остаются, nova-ctl up вернёт
всё. С --purge всё это удаляется, кроме собранных программ и образов в /var/cache/nova: их сборка занимает полчаса, и
следующий nova-ctl up использует их снова.

  nova-ctl down
  nova-ctl down --purge                   начать заново, не собирая всё ещё раз
  nova-ctl down --purge --caches          удалить и собранные программы и образы
  nova-ctl down --purge --yes             в сценариях`,
      }),
    },
  });
