import { group, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';

export const cluster = (t: Translate) =>
  group(
    t,
    { en: 'List clusters', ru: 'Список кластеров' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List clusters with their state', ru: 'Показать кластеры и их состояние' },
        [],
        async () => (await import('./list.ts')).list,
        {
          description: {
            en: `Shows the state, the Kubernetes version, ready and declared nodes, the address of the API, and the time of the
last change of the manifest. A dash means that the state cannot be read.`,
            ru: `Показывает состояние, версию Kubernetes, готовые и описанные узлы, адрес API и время последнего изменения
манифеста. Прочерк — состояние получить не удалось.`,
          },
          examples: [
            ['', { en: 'as a table', ru: 'таблицей' }],
            ['-o json', { en: 'for programs', ru: 'для программ' }],
          ],
        },
      ),
    },
  );
