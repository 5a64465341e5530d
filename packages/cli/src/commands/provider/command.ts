import { buildCommand } from '../../build-command.ts';
import { group } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { clusterFlag, filesFlag, outputFlag } from '../../parameters.ts';
import type { CheckFlags } from './check.ts';

export const provider = (t: Translate) =>
  group(t, { en: 'Check infrastructure providers', ru: 'Проверять провайдеры инфраструктуры' }, { check: check(t) });

const check = (t: Translate) =>
  buildCommand<CheckFlags, []>({
    loader: async () => (await import('./check.ts')).check,
    parameters: {
      flags: { file: filesFlag(t), cluster: clusterFlag(t), output: outputFlag(t) },
      aliases: { f: 'file', c: 'cluster', o: 'output' },
    },
    docs: {
      brief: t({
        en: 'Check that the provider has everything that a cluster needs',
        ru: 'Проверить, есть ли у провайдера всё нужное кластеру',
      }),
      fullDescription: t({
        en: `Universe connects to the zVirt or oVirt engine of the documents, and reports everything that is missing at once: the
address and its certificate, the credentials, the rights of the user, the cluster and its hosts, the template, the vNIC
profile, the storage domain and its space, and machines with the names of nodes. It changes nothing.`,
        ru: `Universe подключается к серверу управления zVirt или oVirt из документов и сразу сообщает обо всём, чего не хватает:
адрес и его сертификат, учётные данные, права пользователя, кластер и его хосты, шаблон, профиль vNIC, домен хранения
и место в нём, чужие машины с именами узлов. Ничего не меняет.`,
      }),
      customUsage: [
        { input: '-f cluster.yaml', brief: t({ en: 'one line per check', ru: 'по строке на проверку' }) },
        { input: '-f cluster.yaml -o json', brief: t({ en: 'for programs', ru: 'для программ' }) },
      ],
    },
  });
