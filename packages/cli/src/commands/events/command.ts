import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag } from '../../parameters.ts';
import type { EventsFlags } from './run.ts';

export const events = (t: Translate) =>
  buildCommand<EventsFlags, [cluster: string], Context>({
    loader: async () => (await import('./run.ts')).events,
    parameters: {
      flags: {
        warnings: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Only warnings', ru: 'Только предупреждения' }),
        },
        watch: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Print new events until interrupted', ru: 'Выводить новые события до прерывания' }),
        },
        output: outputFlag(t),
      },
      aliases: { w: 'watch', o: 'output' },
      positional: namedArguments(t, { en: 'cluster', ru: 'кластер' }),
    },
    docs: {
      brief: t({ en: 'Show the Kubernetes events of a cluster', ru: 'Показать события Kubernetes кластера' }),
      fullDescription: t({
        en: `Shows the Kubernetes events of a cluster, the oldest first, then the current findings of its health. Kubernetes keeps
events for an hour; the newest 200 are shown. With --watch, new events follow; with -o json, each one is a line of its own.

  nova-ctl events demo
  nova-ctl events demo --warnings
  nova-ctl events demo --watch`,
        ru: `Показывает события Kubernetes кластера, начиная с самых старых, затем текущие неполадки кластера. Kubernetes хранит
события один час; показываются последние 200. С --watch выводятся и новые события; с -o json каждое — отдельной строкой.

  nova-ctl events demo
  nova-ctl events demo --warnings
  nova-ctl events demo --watch`,
      }),
    },
  });
