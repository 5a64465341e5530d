import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { againstFlag, besideFlag, clusterFlag, filesFlag, offlineFlag, outputFlag } from '../../parameters.ts';
import type { PlanFlags } from './run.ts';

export const plan = (t: Translate) =>
  buildCommand<PlanFlags, []>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: {
        file: filesFlag(t),
        cluster: clusterFlag(t),
        against: againstFlag(t),
        beside: besideFlag(t),
        offline: offlineFlag(t),
        output: outputFlag(t),
      },
      aliases: { f: 'file', c: 'cluster', o: 'output' },
    },
    docs: {
      brief: t({ en: 'Show the plan of a cluster; creates nothing', ru: 'Показать план кластера; ничего не создаёт' }),
      fullDescription: t({
        en: `Shows nodes with names and addresses, networks and routes, the API, DNS, certificates and modules. The same
documents always give the same plan. When logged in to Universe, takes its other clusters into account and shows the
changes of an existing cluster. --against shows the changes since a saved plan: what is added, changed and removed, and
which changes are disruptive.`,
        ru: `Показывает узлы с именами и адресами, сети и маршруты, API, DNS, сертификаты и модули. Одни и те же
документы всегда дают один и тот же план. Если выполнен вход в Universe, план учитывает его кластеры, а для
существующего кластера показываются изменения. --against показывает изменения относительно сохранённого плана: что
добавится, изменится и удалится, и отмечает изменения, заметные пользователям.`,
      }),
      customUsage: [
        { input: '-f cluster.yaml', brief: t({ en: 'the plan as a tree', ru: 'план в виде дерева' }) },
        { input: '-f cluster.yaml -o json > plan.json', brief: t({ en: 'save the plan', ru: 'сохранить план' }) },
        {
          input: '-f cluster.yaml --against plan.json',
          brief: t({ en: 'the changes against a saved plan', ru: 'изменения относительно сохранённого плана' }),
        },
      ],
    },
  });
