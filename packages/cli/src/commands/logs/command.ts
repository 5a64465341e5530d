import { buildCommand, buildRouteMap } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag } from '../../parameters.ts';
import type { NodeLogsFlags } from './node.ts';
import type { OperationLogsFlags } from './operation.ts';

export const logs = (t: Translate) =>
  buildRouteMap({
    routes: { operation: operationLogs(t), node: nodeLogs(t) },
    // `logs 17` shows the log of operation 17.
    defaultCommand: 'operation',
    docs: {
      brief: t({ en: 'Show the log of an operation or a node', ru: 'Показать журнал операции или узла' }),
      fullDescription: t({
        en: '  nova-ctl logs 17                 the log of operation 17\n  nova-ctl logs node demo-main-1   the console output of a node',
        ru: '  nova-ctl logs 17                 журнал операции 17\n  nova-ctl logs node demo-main-1   вывод консоли узла',
      }),
    },
  });

const operationLogs = (t: Translate) =>
  buildCommand<OperationLogsFlags, [id: string]>({
    loader: async () => (await import('./operation.ts')).operationLogs,
    parameters: {
      flags: {
        step: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Only lines of this step', ru: 'Только строки этого шага' }),
        },
        follow: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Print new lines until the operation ends', ru: 'Выводить новые строки до конца операции' }),
        },
        output: outputFlag(t),
      },
      aliases: { f: 'follow', o: 'output' },
      positional: namedArguments(t, { en: 'id', ru: 'номер' }),
    },
    docs: {
      brief: t({ en: 'Show the log of an operation', ru: 'Показать журнал операции' }),
      fullDescription: t({
        en: `Shows the lines that the steps of an operation logged, oldest first. With --follow, new lines are printed until the
operation ends; Ctrl-C stops following, not the operation. With -o json, each line is a document.`,
        ru: `Показывает строки журнала шагов операции, начиная с самых старых. С --follow новые строки выводятся до конца
операции; Ctrl-C прекращает наблюдение, но не операцию. С -o json каждая строка — отдельный документ.`,
      }),
      customUsage: [
        { input: '17', brief: t({ en: 'the log of operation 17', ru: 'журнал операции 17' }) },
        { input: '17 --follow', brief: t({ en: 'and new lines', ru: 'и новые строки' }) },
        {
          input: '17 --step run/demo-main-1',
          brief: t({ en: 'of one step', ru: 'одного шага' }),
        },
      ],
    },
  });

const nodeLogs = (t: Translate) =>
  buildCommand<NodeLogsFlags, [name: string]>({
    loader: async () => (await import('./node.ts')).nodeLogs,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: namedArguments(t, { en: 'node', ru: 'узел' }),
    },
    docs: {
      brief: t({ en: 'Show the console output of a node', ru: 'Показать вывод консоли узла' }),
      fullDescription: t({
        en: 'Shows the end of what the machine of the node wrote to its console: boot messages and cloud-init.',
        ru: 'Показывает конец вывода консоли машины узла: загрузка и cloud-init.',
      }),
      customUsage: [
        { input: 'demo-main-1', brief: t({ en: 'the console of demo-main-1', ru: 'консоль demo-main-1' }) },
      ],
    },
  });
