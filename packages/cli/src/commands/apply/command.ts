import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { clusterFlag, filesFlag, outputFlag, yesFlag } from '../../parameters.ts';
import type { ApplyFlags } from './run.ts';

export const apply = (t: Translate) =>
  buildCommand<ApplyFlags, []>({
    loader: async () => (await import('./run.ts')).apply,
    parameters: {
      flags: { file: filesFlag(t), cluster: clusterFlag(t), yes: yesFlag(t), output: outputFlag(t) },
      aliases: { f: 'file', c: 'cluster', y: 'yes', o: 'output' },
    },
    docs: {
      brief: t({ en: 'Apply a manifest to a cluster', ru: 'Применить манифест к кластеру' }),
      fullDescription: t({
        en: `Shows the changes, asks for confirmation and applies exactly these changes. A cluster that does not exist is
created. Universe runs the work as an operation: Ctrl-C stops following the operation, not the operation itself.`,
        ru: `Показывает изменения, запрашивает подтверждение и применяет ровно эти изменения. Кластер, которого нет,
создаётся. Работу выполняет операция в Universe: Ctrl-C прекращает наблюдение за операцией, но не саму операцию.`,
      }),
      customUsage: [
        {
          input: '-f cluster.yaml',
          brief: t({ en: 'show the changes, then ask', ru: 'показать изменения и спросить' }),
        },
        { input: '-f cluster.yaml --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
      ],
    },
  });
