import { engineClient } from '@nova-platform/engine';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import { progressOf } from '../../progress.ts';
import { table } from '../../tree.ts';

export async function build(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  const progress = progressOf(this);
  try {
    const image = await engineClient.buildImage(name, progress.say);
    progress.end();
    return { data: image, text: `${this.style.green('✓')} ${image.name} ${image.digest}` };
  } finally {
    progress.end();
  }
}

export async function list(this: Context): Promise<Result> {
  const { t } = this;
  const images = await engineClient.images();
  const rows = images.map(({ name, digest, isBuilt }) => [
    name,
    digest,
    isBuilt ? t({ en: 'built', ru: 'собран' }) : '—',
  ]);
  return {
    data: images,
    text: table([
      [t({ en: 'NAME', ru: 'ИМЯ' }), t({ en: 'DIGEST', ru: 'ДАЙДЖЕСТ' }), t({ en: 'STATE', ru: 'СОСТОЯНИЕ' })],
      ...rows,
    ]).join('\n'),
  };
}

export async function prune(this: Context): Promise<Result> {
  const { removed } = await engineClient.pruneImages();
  return {
    data: { removed },
    text: removed.length > 0 ? removed.join('\n') : this.t({ en: 'Nothing to remove.', ru: 'Удалять нечего.' }),
  };
}
