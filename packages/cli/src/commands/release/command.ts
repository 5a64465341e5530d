import { buildCommand } from '../../build-command.ts';
import { group, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { ImportFlags } from './import.ts';

const versionText = { en: 'version', ru: 'версия' };

export const release = (t: Translate) =>
  group(
    t,
    { en: 'Manage the releases of modules', ru: 'Управлять выпусками модулей' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List releases', ru: 'Показать выпуски' },
        [],
        async () => (await import('./list.ts')).list,
        {
          description: {
            en: `A new cluster gets the newest release. It keeps this release until its manifest names another one:
spec.clusterConfiguration.release.`,
            ru: `Новый кластер получает новейший выпуск и остаётся на нём, пока в манифесте не указан другой:
spec.clusterConfiguration.release.`,
          },
        },
      ),
      show: simpleCommand<[string]>(
        t,
        { en: 'Show the modules and images of a release', ru: 'Показать модули и образы выпуска' },
        [versionText],
        async () => (await import('./show.ts')).show,
        {
          description: {
            en: `Shows modules with versions and dependencies, and images with digests. The release repository has the same
content under the tag of the release:

  git clone https://x:TOKEN@172.30.0.10/git/release.git`,
            ru: `Показывает модули с версиями и зависимостями и образы с дайджестами. То же содержимое — в репозитории выпусков
под тегом выпуска:

  git clone https://x:ТОКЕН@172.30.0.10/git/release.git`,
          },
        },
      ),
      import: importRelease(t),
    },
  );

const importRelease = (t: Translate) =>
  buildCommand<ImportFlags, []>({
    loader: async () => (await import('./import.ts')).importRelease,
    parameters: {
      flags: {
        version: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t(versionText),
          brief: t({ en: 'Version of the release [that of nova-ctl]', ru: 'Версия выпуска [как у nova-ctl]' }),
        },
        from: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'folder', ru: 'каталог' }),
          brief: t({
            en: 'Folder with the manifests of modules [release]',
            ru: 'Каталог с манифестами модулей [release]',
          }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'Build and import a release', ru: 'Собрать и импортировать выпуск' }),
      fullDescription: t({
        en: `Builds the release from manifests and from the components that are built on this host, and imports it into
Universe. \`nova-ctl registry import\` imports its images. A release never changes: importing it again does
nothing, and different content under the same version is refused.`,
        ru: `Собирает выпуск из манифестов и собранных на этом хосте компонентов и импортирует его в Universe. Его образы
импортирует \`nova-ctl registry import\`. Выпуск не меняется: повторный импорт ничего не делает, а другое
содержимое под той же версией отклоняется.`,
      }),
      customUsage: [
        { input: '', brief: t({ en: 'the release of this nova-ctl', ru: 'выпуск этого nova-ctl' }) },
        {
          input: '--version 0.1.1 --from ./release',
          brief: t({ en: 'your own release', ru: 'собственный выпуск' }),
        },
      ],
    },
  });
