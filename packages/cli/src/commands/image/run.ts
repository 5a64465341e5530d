import { engineClient } from '@nova-platform/contracts/engine/client';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { OutputFlags } from '../../group.ts';
import { progressOf } from '../../progress.ts';
import { checkLines, imageLines, packageLines, remainingLines } from './updates-text.ts';

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
  const [images, last] = await Promise.all([engineClient.images(), engineClient.lastCheck()]);
  return { data: images, text: [...imageLines(this, images), '', ...checkLines(this, images, last)].join('\n') };
}

export async function check(this: Context): Promise<Result> {
  const progress = progressOf(this);
  try {
    const last = await engineClient.checkImages(progress.say);
    progress.end();
    const images = await engineClient.images();
    const isOutdated = images.some(({ updates }) => updates?.packages.some(({ isSecurity }) => isSecurity));
    return {
      data: { ...last, images },
      text: [...packageLines(this, images), ...imageLines(this, images), '', ...checkLines(this, images, last)].join(
        '\n',
      ),
      exitCode: isOutdated ? exitCodes.failed.code : exitCodes.done.code,
    };
  } finally {
    progress.end();
  }
}

export async function update(this: Context): Promise<Result> {
  const { t, style } = this;
  const progress = progressOf(this);
  try {
    const images = await engineClient.updateImages(progress.say);
    progress.end();
    if (images.length === 0)
      return {
        data: images,
        text: `${style.green('✓')} ${t({ en: 'All built images are current.', ru: 'Все собранные образы актуальны.' })}`,
      };
    const built = images.map(({ name, digest }) => `${style.green('✓')} ${name} ${digest}`);
    return { data: images, text: [...built, ...remainingLines(this, await engineClient.machines())].join('\n') };
  } finally {
    progress.end();
  }
}

export async function prune(this: Context): Promise<Result> {
  const { removed } = await engineClient.pruneImages();
  return {
    data: { removed },
    text:
      removed.length > 0 ? removed.join('\n') : this.t({ en: 'There is nothing to remove.', ru: 'Удалять нечего.' }),
  };
}
