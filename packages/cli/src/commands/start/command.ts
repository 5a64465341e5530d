import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import type { Output } from '../../output.ts';
import { namedArguments, outputFlag } from '../../parameters.ts';

export const start = (t: Translate) =>
  buildCommand<{ output: Output }, [cluster: string], Context>({
    loader: async () => (await import('./run.ts')).start,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, { en: 'cluster', ru: 'кластер' }),
    },
    docs: {
      brief: t({ en: 'Start a cluster that was stopped', ru: 'Запустить остановленный кластер' }),
      fullDescription: t({
        en: `Start the machines of a cluster, its control planes first, and wait until all nodes are ready. What runs already
stays as it is.

  nova-ctl start demo`,
        ru: `Запустить машины кластера, узлы управления — первыми, и дождаться готовности всех узлов. То, что уже работает,
не меняется.

  nova-ctl start demo`,
      }),
    },
  });
