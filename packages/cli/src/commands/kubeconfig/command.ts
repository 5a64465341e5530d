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
        static: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({
            en: 'With a certificate for one hour, for hosts without nova-ctl',
            ru: 'С сертификатом на один час, для машин без nova-ctl',
          }),
        },
        // For kubectl only.
        credential: { kind: 'boolean', optional: true, withNegated: false, hidden: true, brief: 'ExecCredential' },
        output: outputFlag(t),
      },
      aliases: { m: 'merge', o: 'output' },
      positional: namedArguments(t, { en: 'cluster', ru: 'кластер' }),
    },
    docs: {
      brief: t({ en: 'A way into a cluster, for kubectl', ru: 'Доступ к кластеру для kubectl' }),
      fullDescription: t({
        en: `Access to a cluster as yourself. kubectl gets a certificate from nova-ctl whenever it needs one, so the file stays
valid while you are logged in; a certificate is valid for an hour and kept in your cache folder. Viewers can read everything
except secrets, operators can run applications, administrators can do everything. With --static, the file contains the
certificate itself and is valid for an hour, for CI and hosts without nova-ctl.

  nova-ctl kubeconfig demo >demo.yaml && kubectl --kubeconfig demo.yaml get nodes
  nova-ctl kubeconfig demo --merge && kubectl get nodes
  nova-ctl kubeconfig demo --static >ci.yaml`,
        ru: `Доступ к кластеру от своего имени. kubectl сам получает сертификат через nova-ctl, поэтому файл действует, пока вы
вошли в Universe; сертификат выдаётся на час и хранится в каталоге кеша. Роль viewer может читать всё, кроме секретов,
operator — запускать приложения, admin — всё. С --static сертификат записывается в сам файл, и файл действует час: для CI
и машин без nova-ctl.

  nova-ctl kubeconfig demo >demo.yaml && kubectl --kubeconfig demo.yaml get nodes
  nova-ctl kubeconfig demo --merge && kubectl get nodes
  nova-ctl kubeconfig demo --static >ci.yaml`,
      }),
    },
  });
