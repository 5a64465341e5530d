import { buildCommand } from '../../build-command.ts';
import { group, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag, yesFlag } from '../../parameters.ts';
import type { CreateFlags } from './create.ts';
import type { RemoveFlags } from './remove.ts';

const clusterText = { en: 'cluster', ru: 'кластер' };
const teamText = { en: 'team', ru: 'команда' };

export const tenant = (t: Translate) =>
  group(
    t,
    {
      en: 'Manage teams that deploy to a cluster themselves',
      ru: 'Управлять командами, которые сами развёртывают приложения',
    },
    {
      list: simpleCommand<[cluster: string]>(
        t,
        { en: 'List teams with their quotas', ru: 'Показать команды и их квоты' },
        [clusterText],
        async () => (await import('./list.ts')).list,
        { examples: [['demo', { en: 'the teams of the cluster demo', ru: 'команды кластера demo' }]] },
      ),
      create: create(t),
      remove: remove(t),
    },
  );

const amount = (t: Translate, value: string, en: string, ru: string) =>
  ({ kind: 'parsed', parse: String, default: value, placeholder: 'n', brief: t({ en, ru }) }) as const;

const create = (t: Translate) =>
  buildCommand<CreateFlags, [cluster: string, name: string]>({
    loader: async () => (await import('./create.ts')).create,
    parameters: {
      flags: {
        cpu: amount(t, '4', 'CPU requests of all pods', 'Запросы CPU всех подов'),
        memory: amount(t, '8Gi', 'Memory requests of all pods', 'Запросы памяти всех подов'),
        volumes: amount(t, '20Gi', 'Total size of all volumes', 'Общий размер всех томов'),
        pods: amount(t, '50', 'Number of pods', 'Число подов'),
        yes: yesFlag(t),
        output: outputFlag(t),
      },
      aliases: { y: 'yes', o: 'output' },
      positional: namedArguments(t, clusterText, teamText),
    },
    docs: {
      brief: t({ en: 'Create a team, or change its quota', ru: 'Создать команду или изменить её квоту' }),
      fullDescription: t({
        en: `Creates a namespace with the name of the team, a service account, admin rights in this namespace, and a quota.
Shows the objects, asks for confirmation and prints an example for the team. Flux acts as the service account of
the team, so the team cannot use other namespaces, their secrets and sources, cluster roles or remote Kustomize
bases. For an existing team, the quota changes. The team logs in with a token:

  kubectl create token team-a --namespace team-a`,
        ru: `Создаёт пространство имён с именем команды, сервисную учётную запись, права администратора в этом пространстве и
квоту. Показывает объекты, запрашивает подтверждение и выводит пример для команды. Flux действует от имени
учётной записи команды, поэтому команде недоступны чужие пространства имён, их секреты и источники, кластерные
роли и внешние базы Kustomize. Для существующей команды меняется квота. Команда входит по токену:

  kubectl create token team-a --namespace team-a`,
      }),
      customUsage: [
        { input: 'demo team-a', brief: t({ en: 'show the objects, then ask', ru: 'показать объекты и спросить' }) },
        { input: 'demo team-a --cpu 8 --memory 16Gi --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
      ],
    },
  });

const remove = (t: Translate) =>
  buildCommand<RemoveFlags, [cluster: string, name: string]>({
    loader: async () => (await import('./remove.ts')).remove,
    parameters: {
      flags: { yes: yesFlag(t), output: outputFlag(t) },
      aliases: { y: 'yes', o: 'output' },
      positional: namedArguments(t, clusterText, teamText),
    },
    docs: {
      brief: t({ en: 'Remove a team with its namespace', ru: 'Удалить команду и её пространство имён' }),
      fullDescription: t({
        en: 'Deletes the namespace of the team with all applications and data in it. Asks for the name of the team as confirmation.',
        ru: 'Удаляет пространство имён команды со всеми приложениями и данными. Для подтверждения запрашивает имя команды.',
      }),
      customUsage: [
        { input: 'demo team-a', brief: t({ en: 'ask for the name first', ru: 'сначала спросить имя' }) },
        { input: 'demo team-a --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
      ],
    },
  });
