import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { ImportFlags } from './import.ts';

const versionText = { en: 'version', ru: 'версия' };

export const release = (t: Translate) =>
  group(
    t,
    { en: 'Releases: what modules are delivered from', ru: 'Выпуски: откуда доставляются модули' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List releases', ru: 'Перечислить выпуски' },
        [],
        async () => (await import('./list.ts')).list,
        {
          en: 'Releases that are in Universe. A new cluster gets the newest and keeps it, until its manifest names another:\nspec.clusterConfiguration.release.',
          ru: 'Выпуски, которые есть в Universe. Новый кластер получает новейший и остаётся на нём, пока в манифесте не указан\nдругой: spec.clusterConfiguration.release.',
        },
      ),
      show: simpleCommand<[string]>(
        t,
        { en: 'Show what a release contains', ru: 'Показать содержимое выпуска' },
        [versionText],
        async () => (await import('./show.ts')).show,
        {
          en: 'Modules with their versions and needs, and every image with its digest. The same is a tag of the release\nrepository: git clone https://x:TOKEN@172.30.0.10/git/release.git',
          ru: 'Модули с версиями и зависимостями и все образы с дайджестами. То же самое — тег релизного репозитория:\ngit clone https://x:ТОКЕН@172.30.0.10/git/release.git',
        },
      ),
      import: importRelease(t),
    },
  );

const importRelease = (t: Translate) =>
  buildCommand<ImportFlags, [], Context>({
    loader: async () => (await import('./import.ts')).importRelease,
    parameters: {
      flags: {
        version: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t(versionText),
          brief: t({
            en: 'Its version; that of this nova-ctl when not given',
            ru: 'Версия; по умолчанию как у этого nova-ctl',
          }),
        },
        from: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'folder', ru: 'каталог' }),
          brief: t({ en: 'Manifests of the modules [release]', ru: 'Манифесты модулей [release]' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'Bring a release in', ru: 'Добавить выпуск' }),
      fullDescription: t({
        en: 'Builds the release from manifests and from the components that are built here, and brings it into Universe.\nIts images are brought in by `nova-ctl registry import`. A release never changes: the same again does nothing,\nand other content under a version that is there is refused.',
        ru: 'Собирает выпуск из манифестов и собранных здесь компонентов и добавляет его в Universe. Его образы добавляет\n`nova-ctl registry import`. Выпуск не меняется: повтор ничего не делает, а другое содержимое под той же версией\nотклоняется.',
      }),
      customUsage: [
        { input: '', brief: t({ en: 'the release of this nova-ctl', ru: 'выпуск этого nova-ctl' }) },
        {
          input: '--version 0.1.1 --from ./release',
          brief: t({ en: 'one of your own', ru: 'собственный' }),
        },
      ],
    },
  });
