import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import type { Output } from '../../output.ts';
import { namedArguments, outputFlag } from '../../parameters.ts';

export const start = (t: Translate) =>
  buildCommand<{ output: Output }, [cluster: string]>({
    loader: async () => (await import('./run.ts')).start,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, { en: 'cluster', ru: 'кластер' }),
    },
    docs: {
      brief: t({ en: 'Start a stopped cluster', ru: 'Запустить остановленный кластер' }),
      fullDescription: t({
        en: `Starts the machines of a cluster, its control plane nodes first, and waits until all nodes are ready. Running
machines do not change.`,
        ru: `Запускает машины кластера, узлы управления — первыми, и ждёт готовности всех узлов. Работающие машины не
меняются.`,
      }),
      customUsage: [{ input: 'demo', brief: t({ en: 'start the cluster demo', ru: 'запустить кластер demo' }) }],
    },
  });
