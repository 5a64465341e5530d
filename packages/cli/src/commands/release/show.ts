import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';

export async function show(this: Context, _flags: OutputFlags, release: string): Promise<Result> {
  const { io, t, style, language } = this;
  const shown = await universeOf(io).client.showRelease({ params: { release } });
  const heads = [
    t({ en: 'MODULE', ru: 'МОДУЛЬ' }),
    t({ en: 'VERSION', ru: 'ВЕРСИЯ' }),
    t({ en: 'NEEDS', ru: 'НУЖНЫ' }),
    t({ en: 'DESCRIPTION', ru: 'ОПИСАНИЕ' }),
  ];
  const modules = shown.modules.map((module) => [
    module.name,
    module.version,
    module.needs.join(', ') || '—',
    module.description[language],
  ]);
  const images = shown.images.map(({ name, version, digest }) => [
    name,
    version,
    style.dim(digest.slice(0, 'sha256:'.length + 12)),
  ]);
  return {
    data: shown,
    text: [
      `${style.bold(shown.version)} · ${style.dim(shown.commit)}`,
      '',
      ...table([heads, ...modules], { width: io.stdout.columns, yielding: 3 }),
      '',
      ...table([
        [t({ en: 'IMAGE', ru: 'ОБРАЗ' }), t({ en: 'VERSION', ru: 'ВЕРСИЯ' }), t({ en: 'DIGEST', ru: 'ДАЙДЖЕСТ' })],
        ...images,
      ]),
    ].join('\n'),
  };
}
