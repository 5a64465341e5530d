import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag, yesFlag } from '../../parameters.ts';
import type { CreateFlags } from './create.ts';

export const tenant = (t: Translate) =>
  group(
    t,
    {
      en: 'Teams that deliver to a cluster by themselves',
      ru: 'Команды, которые сами доставляют приложения в кластер',
    },
    { create: create(t) },
  );

const amount = (t: Translate, value: string, en: string, ru: string) =>
  ({ kind: 'parsed', parse: String, default: value, placeholder: 'n', brief: t({ en, ru }) }) as const;

const create = (t: Translate) =>
  buildCommand<CreateFlags, [cluster: string, name: string], Context>({
    loader: async () => (await import('./create.ts')).create,
    parameters: {
      flags: {
        cpu: amount(t, '4', 'Processors that its pods may ask for', 'Сколько процессоров могут запросить поды'),
        memory: amount(t, '8Gi', 'Memory that its pods may ask for', 'Сколько памяти могут запросить поды'),
        volumes: amount(t, '20Gi', 'Size of all its volumes together', 'Общий размер томов'),
        pods: amount(t, '50', 'How many pods it may have', 'Сколько может быть подов'),
        yes: yesFlag(t),
        output: outputFlag(t),
      },
      aliases: { y: 'yes', o: 'output' },
      positional: namedArguments(t, { en: 'cluster', ru: 'кластер' }, { en: 'team', ru: 'команда' }),
    },
    docs: {
      brief: t({ en: 'Make a place for a team', ru: 'Создать место для команды' }),
      fullDescription: t({
        en: `Make a place for a team in a cluster: a namespace of its name, an account, the rights of an administrator in that
namespace, and a quota. Shows what would be made, asks, and ends with an example of what the team may apply. Flux acts as the
account that the team names, so it cannot reach beyond the namespace: other namespaces, their secrets and sources, cluster
roles and bases from elsewhere are refused. Done again with other numbers, the quota changes.

  nova-ctl tenant create demo team-a
  nova-ctl tenant create demo team-a --cpu 8 --memory 16Gi --yes
  kubectl create token team-a --namespace team-a     # what the team comes in with`,
        ru: `Создать место для команды в кластере: пространство имён с её именем, учётная запись, права администратора в этом
пространстве и квота. Показывает, что будет создано, спрашивает и завершается примером того, что может применить команда.
Flux действует от имени указанной командой записи, поэтому не выходит за пространство имён: чужие пространства, секреты и
источники, кластерные роли и внешние основы отклоняются. Повтор с другими числами меняет квоту.

  nova-ctl tenant create demo team-a
  nova-ctl tenant create demo team-a --cpu 8 --memory 16Gi --yes
  kubectl create token team-a --namespace team-a     # с этим входит команда`,
      }),
    },
  });
