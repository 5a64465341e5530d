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
      check: simpleCommand<[]>(
        t,
        {
          en: "Compare images with Debian's package lists, security updates included",
          ru: 'Сравнить образы со списками пакетов Debian, включая обновления безопасности',
        },
        [],
        async () => (await import('./run.ts')).check,
        {
          en: `Downloads the package lists of the mirror that this host's apt names, and compares them with the packages of every
image. The host's own apt is not touched. The engine does the same once a day. The exit code is 1 when security updates
are missing.`,
          ru: `Загружает списки пакетов с зеркала, указанного в apt этого хоста, и сравнивает их с пакетами каждого образа.
Собственный apt хоста не затрагивается. Движок делает то же раз в день. Код завершения 1, если не хватает обновлений
безопасности.`,
        },
      ),
      list: simpleCommand<[]>(
        t,
        {
          en: 'List images, their age and missing updates',
          ru: 'Перечислить образы, их возраст и недостающие обновления',
        },
        [],
        async () => (await import('./run.ts')).list,
      ),
      prune: simpleCommand<[]>(
        t,
        { en: 'Remove images that no recipe describes any more', ru: 'Удалить образы, которых больше нет в рецептах' },
        [],
        async () => (await import('./run.ts')).prune,
      ),
      update: simpleCommand<[]>(
        t,
        {
          en: 'Build outdated images anew, with current packages',
          ru: 'Собрать устаревшие образы заново, с новыми пакетами',
        },
        [],
        async () => (await import('./run.ts')).update,
        {
          en: `Checks all built images and builds those anew that lack newer packages, with everything that stands on them. New
machines get the new images as soon as all of them are built. Machines that exist stay on the old ones:

  nova-ctl up                     moves Universe to its new image
  nova-ctl machine delete NODE    with nova-ctl apply -f FILE: replaces a worker
  nova-ctl down, nova-ctl up      moves the networks of this host to their new image`,
          ru: `Проверяет все собранные образы и заново собирает те, в которых есть устаревшие пакеты, вместе со всем, что на них
основано. Новые машины получают новые образы, как только собраны все. Существующие машины остаются на старых:

  nova-ctl up                     переводит Universe на новый образ
  nova-ctl machine delete УЗЕЛ    вместе с nova-ctl apply -f ФАЙЛ: заменяет рабочий узел
  nova-ctl down, nova-ctl up      переводит сети этого хоста на новый образ`,
        },
      ),
    },
  );
