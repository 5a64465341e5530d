import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag } from '../../parameters.ts';
import type { KubeconfigFlags } from './run.ts';

export const kubeconfig = (t: Translate) =>
  buildCommand<KubeconfigFlags, [cluster: string], Context>({
    loader: async () => (await import('./run.ts')).kubeconfig,
    parameters: {
      flags: {
        merge: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Put it into your own kubeconfig', ru: 'Добавить в свой kubeconfig' }),
        },
        output: outputFlag(t),
      },
      aliases: { m: 'merge', o: 'output' },
      positional: namedArguments(t, { en: 'cluster', ru: 'кластер' }),
    },
    docs: {
      brief: t({ en: 'A way into a cluster, for kubectl', ru: 'Доступ к кластеру для kubectl' }),
      fullDescription: t({
        en: `A way into a cluster as yourself, with a certificate that is good for an hour; ask again for another.

  nova-ctl kubeconfig demo >demo.yaml && kubectl --kubeconfig demo.yaml get nodes
  nova-ctl kubeconfig demo --merge && kubectl get nodes`,
        ru: `Доступ к кластеру от своего имени по сертификату на один час; затем запросите новый.

  nova-ctl kubeconfig demo >demo.yaml && kubectl --kubeconfig demo.yaml get nodes
  nova-ctl kubeconfig demo --merge && kubectl get nodes`,
      }),
    },
  });
