import { buildCommand, buildRouteMap } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag } from '../../parameters.ts';
import type { WaitClusterFlags, WaitOperationFlags } from './run.ts';

export const wait = (t: Translate) =>
  buildRouteMap({
    routes: { cluster: waitCluster(t), operation: waitOperation(t) },
    // `wait demo` waits for the cluster demo.
    defaultCommand: 'cluster',
    docs: {
      brief: t({
        en: 'Wait for a cluster or an operation, for scripts',
        ru: 'Дождаться кластера или операции, для скриптов',
      }),
      fullDescription: t({
        en: '  nova-ctl wait demo           wait until the cluster demo is ready\n  nova-ctl wait operation 17   wait until operation 17 ends',
        ru: '  nova-ctl wait demo           дождаться готовности кластера demo\n  nova-ctl wait operation 17   дождаться завершения операции 17',
      }),
    },
  });

const timeoutFlag = (t: Translate) =>
  ({
    kind: 'parsed',
    parse: String,
    default: '5m',
    placeholder: t({ en: 'time', ru: 'время' }),
    brief: t({ en: 'Maximum time: 90s, 5m, 1h', ru: 'Максимальное время: 90s, 5m, 1h' }),
  }) as const;

const waitCluster = (t: Translate) =>
  buildCommand<WaitClusterFlags, [cluster: string]>({
    loader: async () => (await import('./run.ts')).waitCluster,
    parameters: {
      flags: {
        for: {
          kind: 'enum',
          values: ['ready', 'deleted'],
          default: 'ready',
          brief: t({ en: 'Condition to wait for', ru: 'Условие ожидания' }),
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
        en: `A cluster is ready when all its nodes and modules are ready and no operation is running. The exit code is 1 if
the time runs out. While Universe is unreachable, the command retries.`,
        ru: `Кластер готов, когда готовы все его узлы и модули и не выполняются операции. Если время истекло, код завершения
1. Пока Universe недоступен, команда повторяет попытки.`,
      }),
      customUsage: [
        { input: 'demo', brief: t({ en: 'wait until the cluster is ready', ru: 'дождаться готовности кластера' }) },
        {
          input: 'demo --for deleted --timeout 15m',
          brief: t({ en: 'wait until it is deleted', ru: 'дождаться удаления' }),
        },
      ],
    },
  });

const waitOperation = (t: Translate) =>
  buildCommand<WaitOperationFlags, [id: string]>({
    loader: async () => (await import('./run.ts')).waitOperation,
    parameters: {
      flags: { timeout: timeoutFlag(t), output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, { en: 'id', ru: 'номер' }),
    },
    docs: {
      brief: t({ en: 'Wait until an operation ends', ru: 'Дождаться завершения операции' }),
      fullDescription: t({
        en: 'The exit code is 0 if the operation is done, 1 if it failed, was cancelled, or the time runs out.',
        ru: `Код завершения 0, если операция выполнена; 1, если она завершилась сбоем, отменена или время истекло.`,
      }),
      customUsage: [
        { input: '17', brief: t({ en: 'wait for operation 17', ru: 'дождаться операции 17' }) },
        { input: '17 --timeout 30m', brief: t({ en: 'for up to 30 minutes', ru: 'не дольше 30 минут' }) },
      ],
    },
  });
