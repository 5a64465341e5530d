import { group, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';

export const cluster = (t: Translate) =>
  group(
    t,
    { en: 'Clusters of Universe', ru: 'Кластеры Universe' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List clusters and their state', ru: 'Перечислить кластеры и их состояние' },
        [],
        async () => (await import('./list.ts')).list,
        {
          en: `Lists all clusters by name: state, Kubernetes version, ready and declared nodes, the address of the API, and the time of
the last change of the declaration. The state and the ready nodes of a cluster are unknown if its health cannot be read.

  nova-ctl cluster list
  nova-ctl cluster list -o json      for programs`,
          ru: `Перечисляет все кластеры по имени: состояние, версия Kubernetes, готовые и объявленные узлы, адрес API и время
последнего изменения описания. Если состояние кластера получить не удалось, вместо него и готовых узлов стоит прочерк.

  nova-ctl cluster list
  nova-ctl cluster list -o json      для программ`,
        },
      ),
    },
  );
