import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { clusterFlag, filesFlag, outputFlag, yesFlag } from '../../parameters.ts';
import type { ApplyFlags } from './run.ts';

export const apply = (t: Translate) =>
  buildCommand<ApplyFlags, [], Context>({
    loader: async () => (await import('./run.ts')).apply,
    parameters: {
      flags: { file: filesFlag(t), cluster: clusterFlag(t), yes: yesFlag(t), output: outputFlag(t) },
      aliases: { f: 'file', c: 'cluster', y: 'yes', o: 'output' },
    },
    docs: {
      brief: t({ en: 'Make a cluster what its manifest declares', ru: 'Привести кластер к описанию в манифесте' }),
      fullDescription: t({
        en: `Make a cluster what its manifest declares: shows what would change, asks, and does exactly that. Universe does
the work; breaking off here only stops looking, and nova-ctl operation shows it again.

  nova-ctl apply -f cluster.yaml
  nova-ctl apply -f cluster.yaml --yes      in scripts`,
        ru: `Привести кластер к описанию в манифесте: показывает изменения, спрашивает и делает ровно это. Работу выполняет
Universe; прерывание здесь лишь прекращает просмотр, снова его покажет nova-ctl operation.

  nova-ctl apply -f cluster.yaml
  nova-ctl apply -f cluster.yaml --yes      в сценариях`,
      }),
    },
  });
