import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { outputFlag, yesFlag } from '../../parameters.ts';
import type { ScaleFlags } from './run.ts';

export const scale = (t: Translate) =>
  buildCommand<ScaleFlags, string[], Context>({
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
          brief: t({ en: 'The cluster, then its groups', ru: 'Кластер, затем его группы' }),
        },
      },
    },
    docs: {
      brief: t({ en: 'Give node groups another size', ru: 'Изменить размер групп узлов' }),
      fullDescription: t({
        en: `Give node groups of a cluster another size: shows what would change, asks, and does exactly that. A group is known
by its name, or by its role where only one has it. Nodes that go are drained first; control planes join and leave etcd one
by one, and never so that it loses its quorum.

  nova-ctl scale demo work=5
  nova-ctl scale demo control-plane=3 worker=5 --yes`,
        ru: `Изменить размер групп узлов кластера: показывает изменения, спрашивает и делает ровно это. Группа указывается по
имени или по роли, если она есть только у одной группы. Уходящие узлы сначала освобождаются; узлы управления входят в etcd
и выходят из него по одному и никогда так, чтобы он потерял кворум.

  nova-ctl scale demo work=5
  nova-ctl scale demo control-plane=3 worker=5 --yes`,
      }),
    },
  });
