import { join } from 'node:path';
import { ProblemError, problem, sizeText } from '@nova-platform/api';
import { type ImportedImage, importLayout, RegistryWriter } from '@nova-platform/contracts/registry/client';
import { cacheFolder, chooseComponents, chooseToolchain, findBuilt, readComponents } from '@nova-platform/distro';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import { progressOf } from '../../progress.ts';
import { imagesOf } from '../../services.ts';
import { table } from '../../tree.ts';
import { count } from '../../words.ts';

/** Nodes pull component images under this name. */
const prefix = 'nova';
/** Milliseconds between updates; a faster changing line is not readable. */
const showEvery = 100;

export const importImages = command<OutputFlags, string[]>(async function (_flags, ...names) {
  const { io } = this;
  const layouts = await layoutsOf([...new Set(names)]);
  if (layouts.length === 0) return { data: { images: [] }, text: nothingText(this, names) };
  const writer = new RegistryWriter(await imagesOf(io));
  const progress = progressOf(this);
  const show = shownProgress(this, progress.say);
  const images: ImportedImage[] = [];
  try {
    for (const layout of layouts) images.push(...(await importLayout(layout, prefix, writer, show)));
  } finally {
    progress.end();
  }
  return { data: { images }, text: text(this, images) };
});

/** A named component must be built; without names, all built components. */
async function layoutsOf(names: readonly string[]): Promise<string[]> {
  const [all, toolchain] = await Promise.all([readComponents(), chooseToolchain(cacheFolder())]);
  const chosen = await Promise.all(
    chooseComponents(all, names).map(async (component) => ({
      component,
      built: await findBuilt(component, toolchain),
    })),
  );
  const missing = names.length > 0 ? chosen.filter(({ built }) => !built) : [];
  if (missing.length > 0)
    throw new ProblemError(...missing.map(({ component }) => problem('NOVA8214', { component: component.name })));
  return chosen.flatMap(({ component, built }) =>
    built && component.images.length > 0 ? [join(built.folder, 'images')] : [],
  );
}

/** Reports progress periodically on a terminal, elsewhere once per image. */
function shownProgress({ io, language, t }: Context, say: (line: string) => void) {
  let shownAt = 0;
  let shown = '';
  return (image: string, sent: number, bytes: number) => {
    const isTerminal = io.stderr.isTTY === true;
    if (isTerminal ? performance.now() - shownAt < showEvery : image === shown) return;
    shownAt = performance.now();
    shown = image;
    const part = isTerminal ? `  ${Math.floor((100 * sent) / bytes)}%  ${sizeText(sent, language)} / ` : ', ';
    say(`${t({ en: 'sending', ru: 'передача' })} ${image}${part}${sizeText(bytes, language)}`);
  };
}

function text({ t, style, language }: Context, images: readonly ImportedImage[]): string {
  const sent = images.filter((image) => image.sent > 0);
  const bytes = sent.reduce((sum, image) => sum + image.sent, 0);
  const there = images.length - sent.length;
  const rows = images.map((image) => [
    image.sent > 0 ? style.green('+') : style.dim('='),
    image.image,
    image.sent > 0 ? sizeText(image.sent, language) : style.dim(t({ en: 'exists', ru: 'уже есть' })),
    style.dim(image.digest.slice(0, 'sha256:'.length + 12)),
  ]);
  const before = there > 0 ? t({ en: `, ${there} existed`, ru: `, уже было: ${there}` }) : '';
  return [
    ...table(rows),
    '',
    `${style.green('✓')} ${
      sent.length === 0
        ? t({
            en: `All images exist already: ${there}.`,
            ru: `Все образы уже есть: ${there}.`,
          })
        : t({
            en: `${count(sent.length, 'image', 'images')} sent (${sizeText(bytes, language)})${before}.`,
            ru: `Передано образов: ${sent.length} (${sizeText(bytes, language)})${before}.`,
          })
    }`,
  ].join('\n');
}

function nothingText({ t }: Context, names: readonly string[]): string {
  return names.length > 0
    ? t({
        en: `These components have no images: ${names.join(', ')}.`,
        ru: `У этих компонентов нет образов: ${names.join(', ')}.`,
      })
    : t({
        en: 'No component is built: nova-ctl component build.',
        ru: 'Компоненты не собраны: nova-ctl component build.',
      });
}
