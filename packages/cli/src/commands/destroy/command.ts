import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag, yesFlag } from '../../parameters.ts';
import type { DestroyFlags } from './run.ts';

export const destroy = (t: Translate) =>
  buildCommand<DestroyFlags, [cluster: string]>({
    loader: async () => (await import('./run.ts')).destroy,
    parameters: {
      flags: { yes: yesFlag(t), output: outputFlag(t) },
      aliases: { y: 'yes', o: 'output' },
      positional: namedArguments(t, { en: 'cluster', ru: 'кластер' }),
    },
    docs: {
      brief: t({ en: 'Delete a cluster with all its data', ru: 'Удалить кластер вместе с данными' }),
      fullDescription: t({
        en: `Deletes the machines with their data, the network, certificates, keys and documents of a cluster. Asks for the
name of the cluster as confirmation.`,
        ru: `Удаляет машины кластера с данными, его сеть, сертификаты, ключи и документы. Для подтверждения запрашивает имя
кластера.`,
      }),
      customUsage: [
        { input: 'demo', brief: t({ en: 'ask for the name first', ru: 'сначала спросить имя' }) },
        { input: 'demo --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
      ],
    },
  });
