import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';

export const image = (t: Translate) =>
  group(
    t,
    { en: 'Images that machines are cloned from', ru: 'Образы, из которых клонируются машины' },
    {
      build: simpleCommand<[name: string]>(
        t,
        { en: 'Build an image; nothing is built twice', ru: 'Собрать образ; дважды ничего не собирается' },
        [nameText],
        async () => (await import('./run.ts')).build,
      ),
      list: simpleCommand<[]>(
        t,
        { en: 'List images', ru: 'Перечислить образы' },
        [],
        async () => (await import('./run.ts')).list,
      ),
      prune: simpleCommand<[]>(
        t,
        { en: 'Remove images that no recipe describes any more', ru: 'Удалить образы, которых больше нет в рецептах' },
        [],
        async () => (await import('./run.ts')).prune,
      ),
    },
  );
