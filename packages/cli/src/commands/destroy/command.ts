import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag, yesFlag } from '../../parameters.ts';
import type { DestroyFlags } from './run.ts';

export const destroy = (t: Translate) =>
  buildCommand<DestroyFlags, [cluster: string], Context>({
    loader: async () => (await import('./run.ts')).destroy,
    parameters: {
      flags: { yes: yesFlag(t), output: outputFlag(t) },
      aliases: { y: 'yes', o: 'output' },
      positional: namedArguments(t, { en: 'cluster', ru: 'кластер' }),
    },
    docs: {
      brief: t({ en: 'Remove a cluster with everything it has', ru: 'Удалить кластер целиком' }),
      fullDescription: t({
        en: `Remove a cluster: its machines with their data, its network, identities, keys and documents. Asks for its name.

  nova-ctl destroy demo
  nova-ctl destroy demo --yes      in scripts`,
        ru: `Удалить кластер: машины с данными, сеть, удостоверения, ключи и документы. Спрашивает его имя.

  nova-ctl destroy demo
  nova-ctl destroy demo --yes      в сценариях`,
      }),
    },
  });
