import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';

export const image = (t: Translate) =>
  group(
    t,
    { en: 'Manage the images of machines', ru: 'Управлять образами машин' },
    {
      build: simpleCommand<[name: string]>(
        t,
        { en: 'Build an image, unless it is built already', ru: 'Собрать образ, если он ещё не собран' },
        [nameText],
        async () => (await import('./run.ts')).build,
      ),
      check: simpleCommand<[]>(
        t,
        { en: 'Check images for Debian updates', ru: 'Проверить обновления Debian для образов' },
        [],
        async () => (await import('./run.ts')).check,
        {
          description: {
            en: `Downloads the package lists, including security updates, from the mirror in the apt configuration of this host
and compares them with the packages of each image. The apt of the host is not changed. The engine checks once a
day. The exit code is 1 if security updates are missing.`,
            ru: `Загружает списки пакетов, включая обновления безопасности, с зеркала из настроек apt этого хоста и сравнивает с
пакетами каждого образа. Сам apt хоста не меняется. Движок проверяет раз в день. Если не хватает обновлений
безопасности, код завершения 1.`,
          },
        },
      ),
      list: simpleCommand<[]>(
        t,
        {
          en: 'List images with their age and missing updates',
          ru: 'Показать образы, их возраст и недостающие обновления',
        },
        [],
        async () => (await import('./run.ts')).list,
      ),
      prune: simpleCommand<[]>(
        t,
        { en: 'Remove unused images', ru: 'Удалить неиспользуемые образы' },
        [],
        async () => (await import('./run.ts')).prune,
      ),
      update: simpleCommand<[]>(
        t,
        { en: 'Rebuild outdated images with current packages', ru: 'Пересобрать устаревшие образы с новыми пакетами' },
        [],
        async () => (await import('./run.ts')).update,
        {
          description: {
            en: `Checks all built images and rebuilds the outdated ones, with the images based on them. New machines use the new
images when all of them are built. Existing machines keep the old ones; to replace them:

  nova-ctl up                     Universe
  nova-ctl machine delete NODE    a worker, with nova-ctl apply -f FILE
  nova-ctl down, nova-ctl up      the networks of this host`,
            ru: `Проверяет все собранные образы и пересобирает устаревшие вместе с образами на их основе. Новые машины используют
новые образы, когда собраны все. Существующие остаются на старых; чтобы заменить их:

  nova-ctl up                     Universe
  nova-ctl machine delete УЗЕЛ    рабочий узел, вместе с nova-ctl apply -f ФАЙЛ
  nova-ctl down, nova-ctl up      сети этого хоста`,
          },
        },
      ),
    },
  );
