import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag } from '../../parameters.ts';
import type { KubeconfigFlags } from './run.ts';

export const kubeconfig = (t: Translate) =>
  buildCommand<KubeconfigFlags, [cluster: string]>({
    loader: async () => (await import('./run.ts')).kubeconfig,
    parameters: {
      flags: {
        merge: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Merge into your kubeconfig', ru: 'Добавить в свой kubeconfig' }),
        },
        static: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({
            en: 'With a certificate for one hour, for hosts without nova-ctl',
            ru: 'С сертификатом на один час, для хостов без nova-ctl',
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
      brief: t({ en: 'Access a cluster with kubectl', ru: 'Доступ к кластеру через kubectl' }),
      fullDescription: t({
        en: `Prints a kubeconfig for your user. kubectl gets certificates from nova-ctl, so the file is valid while you are
logged in; each certificate is valid for an hour. Viewers can read everything except secrets, operators can run
applications, administrators can do everything. With --static, the file contains the certificate itself and is
valid for an hour: for CI and hosts without nova-ctl.`,
        ru: `Выводит kubeconfig для вашего пользователя. kubectl получает сертификаты через nova-ctl, поэтому файл действует,
пока выполнен вход; каждый сертификат действует час. viewer может читать всё, кроме секретов, operator —
запускать приложения, admin — всё. С --static сертификат записан в сам файл, и файл действует час: для CI и
хостов без nova-ctl.`,
      }),
      customUsage: [
        {
          input: 'demo --merge',
          brief: t({ en: 'add the cluster to ~/.kube/config', ru: 'добавить кластер в ~/.kube/config' }),
        },
        {
          input: 'demo >demo.yaml',
          brief: t({ en: 'for kubectl --kubeconfig demo.yaml', ru: 'для kubectl --kubeconfig demo.yaml' }),
        },
        { input: 'demo --static >ci.yaml', brief: t({ en: 'for CI', ru: 'для CI' }) },
      ],
    },
  });
