import { buildCommand } from '../../build-command.ts';
import { group, nameText, type OutputFlags, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';

export const component = (t: Translate) =>
  group(
    t,
    {
      en: 'Build the programs of clusters from pinned sources',
      ru: 'Собрать программы кластеров из закреплённых исходников',
    },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List components and their builds', ru: 'Показать компоненты и их сборки' },
        [],
        async () => (await import('./list.ts')).list,
        {
          description: {
            en: `Components that only tests use are dimmed. The JSON output also has the module, key, checksums and digests.`,
            ru: `Компоненты только для тестов показаны бледно. В выводе JSON есть также модуль, ключ, контрольные суммы и
дайджесты.`,
          },
          examples: [['-o json', { en: 'for programs', ru: 'для программ' }]],
        },
      ),
      build: build(t),
      verify: verify(t),
      update: simpleCommand<[name: string, version: string]>(
        t,
        { en: 'Pin another version of a component', ru: 'Закрепить другую версию компонента' },
        [nameText, { en: 'version', ru: 'версия' }],
        async () => (await import('./update.ts')).update,
        {
          description: {
            en: `Downloads the version with its dependencies, then changes go.mod and go.sum in distro/NAME and shows the changed
modules. If a download fails, nothing is changed. If the checksum database lacks the version, set
GONOSUMDB=MODULE once; after that, go.sum protects it.`,
            ru: `Загружает версию и её зависимости, затем меняет go.mod и go.sum в distro/ИМЯ и показывает изменённые модули.
Если загрузка не удалась, ничего не меняется. Если версии нет в базе контрольных сумм, один раз задайте
GONOSUMDB=МОДУЛЬ; дальше её защищает go.sum.`,
          },
          examples: [['etcd 3.6.5', { en: 'pin etcd 3.6.5', ru: 'закрепить etcd 3.6.5' }]],
        },
      ),
      prune: simpleCommand<[]>(
        t,
        {
          en: 'Remove builds of versions that are no longer pinned',
          ru: 'Удалить сборки версий, которые больше не закреплены',
        },
        [],
        async () => (await import('./prune.ts')).prune,
      ),
    },
  );

const names = (t: Translate) =>
  ({
    kind: 'array',
    parameter: {
      parse: String,
      placeholder: t(nameText),
      brief: t({ en: 'Components [all]', ru: 'Компоненты [все]' }),
    },
  }) as const;

const build = (t: Translate) =>
  buildCommand<OutputFlags, string[]>({
    loader: async () => (await import('./build.ts')).build,
    parameters: { flags: { output: outputFlag(t) }, aliases: { o: 'output' }, positional: names(t) },
    docs: {
      brief: t({ en: 'Build components that are not built yet', ru: 'Собрать компоненты, которые ещё не собраны' }),
      fullDescription: t({
        en: `Builds programs and images from the sources pinned in distro/, one component after another, and stores them in
NOVA_CACHE [/var/cache/nova or ~/.cache/nova]. Modules come from GOPROXY and are verified against go.sum. If Go
is missing or too old, the pinned version is downloaded. An interrupted build keeps the components that are
complete.`,
        ru: `Собирает программы и образы из исходников, закреплённых в distro/, по одному компоненту, и хранит их в
NOVA_CACHE [/var/cache/nova или ~/.cache/nova]. Модули берутся из GOPROXY и сверяются с go.sum. Если Go нет или
он слишком старый, загружается закреплённая версия. Прерванная сборка сохраняет готовые компоненты.`,
      }),
      customUsage: [
        { input: '', brief: t({ en: 'all components that are not built', ru: 'все несобранные компоненты' }) },
        { input: 'etcd kubernetes', brief: t({ en: 'only these', ru: 'только эти' }) },
      ],
    },
  });

const verify = (t: Translate) =>
  buildCommand<OutputFlags, string[]>({
    loader: async () => (await import('./verify.ts')).verify,
    parameters: { flags: { output: outputFlag(t) }, aliases: { o: 'output' }, positional: names(t) },
    docs: {
      brief: t({
        en: 'Rebuild components and compare them bit by bit',
        ru: 'Пересобрать компоненты и сравнить бит в бит',
      }),
      fullDescription: t({
        en: `Rebuilds built components from scratch in another folder and compares every file and image, verifies modules
against go.sum, and lists modules without a licence. Takes as long as a build. The exit code is 1 if there is a
difference.`,
        ru: `Пересобирает готовые компоненты с нуля в другом каталоге и сравнивает все файлы и образы, сверяет модули с
go.sum и перечисляет модули без лицензии. Занимает столько же времени, сколько сборка. Если есть различия, код
завершения 1.`,
      }),
      customUsage: [
        { input: '', brief: t({ en: 'all built components', ru: 'все собранные компоненты' }) },
        {
          input: 'kubernetes -o json',
          brief: t({ en: 'one component, for programs', ru: 'один компонент, для программ' }),
        },
      ],
    },
  });
