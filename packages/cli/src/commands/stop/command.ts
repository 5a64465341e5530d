import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import type { Output } from '../../output.ts';
import { namedArguments, outputFlag } from '../../parameters.ts';

export const stop = (t: Translate) =>
  buildCommand<{ output: Output }, [cluster: string], Context>({
    loader: async () => (await import('./run.ts')).stop,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, { en: 'cluster', ru: 'кластер' }),
    },
    docs: {
      brief: t({ en: 'Stop a cluster; it keeps everything', ru: 'Остановить кластер; всё сохраняется' }),
      fullDescription: t({
        en: `Stop the machines of a cluster, its control planes last. They keep everything they have.

  nova-ctl stop demo
  nova-ctl start demo      and it goes on`,
        ru: `Остановить машины кластера, узлы управления — последними. Всё, что на них есть, сохраняется.

  nova-ctl stop demo
  nova-ctl start demo      и работа продолжится`,
      }),
    },
  });
