import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';

export const status = (t: Translate) => {
  const cluster = t({ en: 'cluster', ru: 'кластер' });
  return buildCommand<OutputFlags, [cluster?: string], Context>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: {
        kind: 'tuple',
        parameters: [{ parse: String, placeholder: cluster, brief: cluster, optional: true }],
      },
    },
    docs: {
      brief: t({
        en: 'How Universe or a cluster is, and what to do if it is not well',
        ru: 'Состояние Universe или кластера и что делать, если что-то не так',
      }),
      fullDescription: t({
        en: `Of Universe: its services, versions, disk and memory, what it looks after, and certificates that were not renewed in time.
Of a cluster: its nodes, and everything that is wrong, followed from what is noticed to its cause, with the command that helps.
The exit code is 1 when something is wrong.

  nova-ctl status           Universe
  nova-ctl status demo      the cluster demo`,
        ru: `Об Universe: службы, версии, диск и память, чем он управляет, и сертификаты, не обновлённые вовремя.
О кластере: узлы и всё, что не в порядке, — от того, что заметно, до причины, с командой, которая поможет.
Код завершения 1, если что-то не так.

  nova-ctl status           Universe
  nova-ctl status demo      кластер demo`,
      }),
    },
  });
};
