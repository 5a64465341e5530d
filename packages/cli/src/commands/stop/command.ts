import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import type { Output } from '../../output.ts';
import { namedArguments, outputFlag } from '../../parameters.ts';

export const stop = (t: Translate) =>
  buildCommand<{ output: Output }, [cluster: string]>({
    loader: async () => (await import('./run.ts')).stop,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, { en: 'cluster', ru: 'кластер' }),
    },
    docs: {
      brief: t({ en: 'Stop a cluster; its data is kept', ru: 'Остановить кластер; данные сохраняются' }),
      fullDescription: t({
        en: 'Stops the machines of a cluster, its control plane nodes last. nova-ctl start starts them again.',
        ru: 'Останавливает машины кластера, узлы управления — последними. nova-ctl start снова запустит их.',
      }),
      customUsage: [{ input: 'demo', brief: t({ en: 'stop the cluster demo', ru: 'остановить кластер demo' }) }],
    },
  });
