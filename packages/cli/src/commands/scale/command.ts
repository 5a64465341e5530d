import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { outputFlag, yesFlag } from '../../parameters.ts';
import type { ScaleFlags } from './run.ts';

export const scale = (t: Translate) =>
  buildCommand<ScaleFlags, string[]>({
    loader: async () => (await import('./run.ts')).scale,
    parameters: {
      flags: { yes: yesFlag(t), output: outputFlag(t) },
      aliases: { y: 'yes', o: 'output' },
      positional: {
        kind: 'array',
        minimum: 2,
        parameter: {
          parse: String,
          placeholder: t({ en: 'cluster, group=count', ru: 'кластер, группа=число' }),
          brief: t({ en: 'Cluster, then its groups', ru: 'Кластер, затем его группы' }),
        },
      },
    },
    docs: {
      arguments: [
        [t({ en: 'cluster', ru: 'кластер' }), t({ en: 'Name of the cluster', ru: 'Имя кластера' })],
        [
          t({ en: 'group=count...', ru: 'группа=число...' }),
          t({ en: 'Groups and their new sizes', ru: 'Группы и их новые размеры' }),
        ],
      ],
      brief: t({ en: 'Change the size of node groups', ru: 'Изменить размер групп узлов' }),
      fullDescription: t({
        en: `Shows the changes, asks for confirmation and applies exactly these changes. A group is given by its name, or by
its role if only one group has this role. Nodes are drained before they are removed. Control plane nodes join
and leave etcd one by one, without a loss of quorum.`,
        ru: `Показывает изменения, запрашивает подтверждение и применяет ровно эти изменения. Группа указывается по имени или
по роли, если роль есть только у одной группы. Перед удалением узлы освобождаются (drain). Узлы управления
входят в etcd и выходят из него по одному, без потери кворума.`,
      }),
      customUsage: [
        { input: 'demo work=5', brief: t({ en: 'show the changes, then ask', ru: 'показать изменения и спросить' }) },
        { input: 'demo control-plane=3 worker=5 --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
      ],
    },
  });
