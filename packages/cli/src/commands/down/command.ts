import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { DownFlags } from './run.ts';

export const down = (t: Translate) =>
  buildCommand<DownFlags, []>({
    loader: async () => (await import('./run.ts')).down,
    parameters: {
      flags: {
        purge: {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: t({
            en: 'Remove everything with all data, except built programs and images',
            ru: 'Удалить всё вместе с данными, кроме собранных программ и образов',
          }),
        },
        caches: {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: t({
            en: 'With --purge: also remove built programs and images; a new build takes a quarter of an hour',
            ru: 'С --purge: удалить и собранные программы и образы; новая сборка занимает четверть часа',
          }),
        },
        yes: {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: t({ en: 'Do not ask for confirmation', ru: 'Не запрашивать подтверждение' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output', y: 'yes' },
    },
    docs: {
      brief: t({
        en: 'Stop the site on this host, or remove it with --purge',
        ru: 'Остановить площадку на этом хосте, с --purge — удалить',
      }),
      fullDescription: t({
        en: `Stops Universe, all machines, the networks and the engine. Disks and data are kept, and nova-ctl up starts
everything again. With --purge, everything is removed except built programs and images in /var/cache/nova. The next
nova-ctl up uses them; a new build takes a quarter of an hour.`,
        ru: `Останавливает Universe, все машины, сети и движок. Диски и данные сохраняются, nova-ctl up снова всё запускает.
С --purge всё удаляется, кроме собранных программ и образов в /var/cache/nova. Их использует следующий nova-ctl up;
новая сборка занимает четверть часа.`,
      }),
      customUsage: [
        { input: '', brief: t({ en: 'stop everything', ru: 'остановить всё' }) },
        { input: '--purge', brief: t({ en: 'remove everything, keep the builds', ru: 'удалить всё, кроме сборок' }) },
        { input: '--purge --caches', brief: t({ en: 'remove the builds too', ru: 'удалить и сборки' }) },
        { input: '--purge --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
      ],
    },
  });
