import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag } from '../../parameters.ts';
import type { EventsFlags } from './run.ts';

export const events = (t: Translate) =>
  buildCommand<EventsFlags, [cluster: string]>({
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
      brief: t({ en: 'Show the Kubernetes events of a cluster', ru: 'Показать события Kubernetes в кластере' }),
      fullDescription: t({
        en: `Shows the newest 200 events, oldest first, then the problems of the cluster. Kubernetes keeps events for an
hour. With --watch, new events follow; with -o json, each event is one line.`,
        ru: `Показывает 200 последних событий, начиная с самых старых, затем проблемы кластера. Kubernetes хранит события
один час. С --watch выводятся и новые события; с -o json каждое событие — одна строка.`,
      }),
      customUsage: [
        { input: 'demo', brief: t({ en: 'events of the last hour', ru: 'события за последний час' }) },
        { input: 'demo --warnings', brief: t({ en: 'only warnings', ru: 'только предупреждения' }) },
        { input: 'demo --watch', brief: t({ en: 'and new events', ru: 'и новые события' }) },
      ],
    },
  });
