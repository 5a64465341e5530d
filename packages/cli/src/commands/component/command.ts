import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group, nameText, type OutputFlags, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';

export const component = (t: Translate) =>
  group(
    t,
    {
      en: 'Components: the programs that clusters consist of, built from pinned sources',
      ru: 'Компоненты: программы, из которых состоят кластеры, собранные из закреплённых исходников',
    },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List components and what is built', ru: 'Перечислить компоненты и собранное' },
        [],
        async () => (await import('./list.ts')).list,
        {
          en: 'What only our tests use is dimmed. With -o json: also module, key, checksums and digests.',
          ru: 'Бледным показано то, что нужно только нашим тестам. С -o json: также модуль, ключ, контрольные суммы и дайджесты.',
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
          en: 'Changes go.mod and go.sum in distro/NAME when everything that version needs could be had, or nothing at all, and shows what\nwould be linked in instead of what. For a version that the checksum database does not know: GONOSUMDB=MODULE, once; from then on\ngo.sum protects it.',
          ru: 'Меняет go.mod и go.sum в distro/ИМЯ, если удалось получить всё нужное для этой версии, иначе не меняет ничего; показывает,\nкакие модули на что заменятся. Для версии, которой нет в базе контрольных сумм: один раз GONOSUMDB=МОДУЛЬ; дальше её защищает\ngo.sum.',
        },
      ),
      prune: simpleCommand<[]>(
        t,
        { en: 'Remove builds of pins that are no longer ours', ru: 'Удалить сборки незакреплённых версий' },
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
      brief: t({ en: 'Components; all when none is named', ru: 'Компоненты; все, если не указаны' }),
    },
  }) as const;

const build = (t: Translate) =>
  buildCommand<OutputFlags, string[], Context>({
    loader: async () => (await import('./build.ts')).build,
    parameters: { flags: { output: outputFlag(t) }, aliases: { o: 'output' }, positional: names(t) },
    docs: {
      brief: t({
        en: 'Build components; nothing is built twice',
        ru: 'Собрать компоненты; дважды ничего не собирается',
      }),
      fullDescription: t({
        en: 'Builds programs and images from the sources that are pinned in distro/, one component after the other, and keeps them in NOVA_CACHE\n[/var/cache/nova, or ~/.cache/nova]. Modules come from GOPROXY and are checked against go.sum. Where Go is missing or too old,\nthe pinned one is fetched. It may be broken off at any time: what is built stays built.',
        ru: 'Собирает программы и образы из исходников, закреплённых в distro/, по одному компоненту, и хранит их в NOVA_CACHE\n[/var/cache/nova или ~/.cache/nova]. Модули берутся из GOPROXY и сверяются с go.sum. Если Go нет или он слишком старый,\nбудет получена закреплённая версия. Прервать можно в любой момент: уже собранное остаётся.',
      }),
      customUsage: [
        { input: '', brief: t({ en: 'everything that is not built yet', ru: 'всё, что ещё не собрано' }) },
        { input: 'etcd kubernetes', brief: t({ en: 'these, in this order', ru: 'только эти, в этом порядке' }) },
      ],
    },
  });

const verify = (t: Translate) =>
  buildCommand<OutputFlags, string[], Context>({
    loader: async () => (await import('./verify.ts')).verify,
    parameters: { flags: { output: outputFlag(t) }, aliases: { o: 'output' }, positional: names(t) },
    docs: {
      brief: t({
        en: 'Build components again and compare, bit by bit',
        ru: 'Собрать компоненты заново и сравнить бит в бит',
      }),
      fullDescription: t({
        en: 'Builds what is built once more, from nothing and in another folder, and compares every file and image; checks modules against go.sum;\nlists modules without a licence. The exit code is 1 when anything differs. It takes as long as building does.',
        ru: 'Собирает уже собранное ещё раз, с нуля и в другом каталоге, и сравнивает все файлы и образы; сверяет модули с go.sum;\nперечисляет модули без лицензии. Код завершения 1, если что-то отличается. Занимает столько же времени, сколько сборка.',
      }),
      customUsage: [
        { input: '', brief: t({ en: 'everything that is built', ru: 'всё, что собрано' }) },
        { input: 'kubernetes -o json', brief: t({ en: 'one, for programs', ru: 'один, для программ' }) },
      ],
    },
  });
