import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { ExplainFlags } from './run.ts';

export const explain = (t: Translate) =>
  buildCommand<ExplainFlags, [topic?: string]>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: {
        kind: 'tuple',
        parameters: [
          {
            parse: String,
            optional: true,
            placeholder: t({ en: 'topic', ru: 'тема' }),
            brief: t({
              en: 'A kind, a field such as Infrastructure.spec.nodeGroups, a module, or an error code',
              ru: 'Вид документа, поле (например, Infrastructure.spec.nodeGroups), модуль или код ошибки',
            }),
            proposeCompletions: async (partial: string) => (await import('./topics.ts')).proposeTopics(partial),
          },
        ],
      },
    },
    docs: {
      brief: t({
        en: 'Describe a kind, field, module or error code',
        ru: 'Описать вид документа, поле, модуль или код ошибки',
      }),
      fullDescription: t({
        en: `Shows the meaning of a field, its allowed values, its default, and whether it can change after installation.
Without a topic, lists the kinds and modules.`,
        ru: `Показывает смысл поля, допустимые значения, значение по умолчанию и можно ли менять его после установки. Без
темы перечисляет виды документов и модули.`,
      }),
      customUsage: [
        { input: 'Infrastructure', brief: t({ en: 'a document kind', ru: 'вид документа' }) },
        {
          input: 'Infrastructure.spec.clusterConfiguration.extraOptions.dns',
          brief: t({ en: 'a field with the fields below it', ru: 'поле и вложенные в него' }),
        },
        { input: 'metrics-server', brief: t({ en: 'a module and its settings', ru: 'модуль и его настройки' }) },
        { input: 'NOVA3005', brief: t({ en: 'an error code', ru: 'код ошибки' }) },
      ],
    },
  });
