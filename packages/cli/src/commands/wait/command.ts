import { buildCommand, buildRouteMap } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag } from '../../parameters.ts';
import type { WaitClusterFlags, WaitOperationFlags } from './run.ts';

export const wait = (t: Translate) =>
  buildRouteMap<string, Context>({
    routes: { cluster: waitCluster(t), operation: waitOperation(t) },
    // `wait demo` waits for the cluster demo.
    defaultCommand: 'cluster',
    docs: {
      brief: t({
        en: 'Wait for a cluster or an operation, in scripts',
        ru: 'Дождаться кластера или операции, для скриптов',
      }),
    },
  });

const timeoutFlag = (t: Translate) =>
  ({
    kind: 'parsed',
    parse: String,
    default: '5m',
    placeholder: t({ en: 'time', ru: 'время' }),
    brief: t({ en: 'How long to wait: 90s, 5m, 1h', ru: 'Сколько ждать: 90s, 5m, 1h' }),
  }) as const;

const waitCluster = (t: Translate) =>
  buildCommand<WaitClusterFlags, [cluster: string], Context>({
    loader: async () => (await import('./run.ts')).waitCluster,
    parameters: {
      flags: {
        for: {
          kind: 'enum',
          values: ['ready', 'deleted'],
          default: 'ready',
          brief: t({ en: 'The condition to wait for', ru: 'Какого состояния ждать' }),
        },
        timeout: timeoutFlag(t),
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: namedArguments(t, { en: 'cluster', ru: 'кластер' }),
    },
    docs: {
      brief: t({ en: 'Wait until a cluster is ready or deleted', ru: 'Дождаться готовности или удаления кластера' }),
      fullDescription: t({
        en: `Waits until a cluster is ready: all nodes and modules are ready and no operation is running. With --for deleted, until it
is removed. The exit code is 1 if the time runs out. An unreachable Universe is retried.

  nova-ctl wait demo
  nova-ctl wait demo --for deleted --timeout 15m`,
        ru: `Ждёт готовности кластера: готовы все узлы и модули, операции не выполняются. С --for deleted ждёт его удаления. Если
время истекло, код завершения 1. Если Universe недоступен, попытки продолжаются.

  nova-ctl wait demo
  nova-ctl wait demo --for deleted --timeout 15m`,
      }),
    },
  });

const waitOperation = (t: Translate) =>
  buildCommand<WaitOperationFlags, [id: string], Context>({
    loader: async () => (await import('./run.ts')).waitOperation,
    parameters: {
      flags: { timeout: timeoutFlag(t), output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, { en: 'id', ru: 'номер' }),
    },
    docs: {
      brief: t({ en: 'Wait until an operation ends', ru: 'Дождаться завершения операции' }),
      fullDescription: t({
        en: `Waits until an operation ends. The exit code is 0 if it is done, 1 if it failed, was cancelled or the time runs out.

  nova-ctl wait operation 17
  nova-ctl wait operation 17 --timeout 30m`,
        ru: `Ждёт завершения операции. Код завершения 0, если она выполнена; 1, если она не удалась, отменена или время истекло.

  nova-ctl wait operation 17
  nova-ctl wait operation 17 --timeout 30m`,
      }),
    },
  });
