import type { Modules } from '@nova-platform/contracts/universe/client';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import { inLanguage } from '../../language.ts';
import { oneLine } from '../../outside.ts';
import { ago } from '../../time.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';

type Module = Modules['modules'][number];

export async function list(this: Context, _flags: OutputFlags, cluster: string): Promise<Result> {
  const { io, t, style } = this;
  const found = await universeOf(io).client.listModules({ params: { cluster } });
  const head = [
    t({ en: 'MODULE', ru: 'МОДУЛЬ' }),
    t({ en: 'KIND', ru: 'ВИД' }),
    t({ en: 'VERSION', ru: 'ВЕРСИЯ' }),
    t({ en: 'NEEDS', ru: 'НУЖНЫ' }),
    t({ en: 'STATE', ru: 'СОСТОЯНИЕ' }),
  ];
  const rows = found.modules.map((module) => [
    module.name,
    module.category === 'base' ? t({ en: 'base', ru: 'базовый' }) : t({ en: 'additional', ru: 'дополнительный' }),
    module.version,
    module.needs.join(', ') || '—',
    stateText(this, module),
  ]);
  const title = t({ en: 'release', ru: 'выпуск' });
  return {
    data: found,
    text: [
      `${style.bold(cluster)} · ${title} ${found.release}`,
      '',
      ...table([head, ...rows], { width: io.stdout.columns, yielding: 4 }),
    ].join('\n'),
  };
}

function stateText({ t, style, language }: Context, { state, reason, repaired }: Module): string {
  const words: Record<Module['state'], string> = {
    ready: style.green(t({ en: 'ready', ru: 'готов' })),
    waiting: style.yellow(t({ en: 'waiting', ru: 'ожидает' })),
    failed: style.red(t({ en: 'failed', ru: 'сбой' })),
    leaving: style.yellow(t({ en: 'being deleted', ru: 'удаляется' })),
    off: style.dim(t({ en: 'disabled', ru: 'выключен' })),
    unknown: style.yellow(t({ en: 'unknown', ru: 'неизвестно' })),
  };
  const why = reason === undefined ? '' : `: ${oneLine(inLanguage(reason, t))}`;
  const drift = repaired
    ? style.dim(
        ` · ${t({ en: 'reverted', ru: 'откат ручных изменений' })} ${ago(repaired.at, language)}: ${oneLine(repaired.objects.join(', '))}`,
      )
    : '';
  return `${words[state]}${why}${drift}`;
}
