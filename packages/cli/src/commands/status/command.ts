import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { StatusFlags } from './run.ts';

export const status = (t: Translate) => {
  const cluster = t({ en: 'cluster', ru: 'кластер' });
  return buildCommand<StatusFlags, [cluster?: string]>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: {
        watch: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Update the state until interrupted', ru: 'Обновлять состояние до прерывания' }),
        },
        output: outputFlag(t),
      },
      aliases: { w: 'watch', o: 'output' },
      positional: {
        kind: 'tuple',
        parameters: [{ parse: String, placeholder: cluster, brief: cluster, optional: true }],
      },
    },
    docs: {
      brief: t({
        en: 'Show the state of Universe or a cluster, and how to fix problems',
        ru: 'Показать состояние Universe или кластера и как устранить проблемы',
      }),
      fullDescription: t({
        en: `For Universe: services, versions, disk and memory, clusters and operations, and certificates with overdue
renewal. For a cluster: nodes, modules and problems, each with its causes and a command that fixes it. With
--watch, the state is updated until Ctrl-C. The exit code is 1 if a service or a cluster has an error.`,
        ru: `Для Universe: службы, версии, диск и память, кластеры и операции, сертификаты с просроченным обновлением. Для
кластера: узлы, модули и проблемы с причинами и командой, которая их устраняет. С --watch состояние обновляется
до Ctrl-C. Если есть ошибка службы или кластера, код завершения 1.`,
      }),
      customUsage: [
        { input: '', brief: t({ en: 'the state of Universe', ru: 'состояние Universe' }) },
        { input: 'demo', brief: t({ en: 'the state of the cluster demo', ru: 'состояние кластера demo' }) },
        { input: 'demo --watch', brief: t({ en: 'and its changes', ru: 'и его изменения' }) },
      ],
    },
  });
};
