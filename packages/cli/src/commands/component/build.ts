import { sizeText } from '@nova-platform/api';
import {
  type BuiltComponent,
  buildInTurn,
  type Component,
  cacheFolder,
  chooseComponents,
  emptyGoCachesWhenBuilt,
  findBuilt,
  findToolchain,
  readComponents,
  type Toolchain,
} from '@nova-platform/distro';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import { progressOf } from '../../progress.ts';
import { styleFor } from '../../style.ts';
import { duration } from '../../time.ts';
import { count } from '../../words.ts';
import { buildProgress } from './build-progress.ts';
import { bytesOf } from './list.ts';

export const build = command<OutputFlags, string[]>(async function (_flags, ...names) {
  const started = performance.now();
  const chosen = chooseComponents(await readComponents(), [...new Set(names)]);
  const toolchain = await findToolchain(cacheFolder(), (line) => progressOf(this).say(line));
  const existing = await Promise.all(chosen.map((component) => findBuilt(component, toolchain)));
  const missing = chosen.filter((_, index) => !existing[index]);

  const fresh = await buildAll(this, missing, toolchain);
  await cleanUp(this, toolchain);
  const seconds = Math.round((performance.now() - started) / 1000);
  return {
    data: {
      seconds,
      components: chosen.map((component, index) => {
        const known = existing[index];
        const built = known ?? fresh.get(component.name);
        return { name: component.name, version: component.version, isNew: !known, ...built };
      }),
    },
    text: summary(this, chosen.length, missing.length, seconds),
  };
});

async function buildAll(
  context: Context,
  components: readonly Component[],
  toolchain: Toolchain,
): Promise<Map<string, BuiltComponent>> {
  const results = new Map<string, BuiltComponent>();
  const progress = buildProgress(context, { en: 'building', ru: 'сборка' }, components.length);
  try {
    await buildInTurn(components, {
      toolchain,
      onStart: progress.start,
      onProgress: progress.tell,
      onBuilt: (component, built) => {
        results.set(component.name, built);
        progress.finish(component.name, doneLine(context, component, built));
      },
    });
  } finally {
    progress.end();
  }
  return results;
}

function doneLine({ t, language, io }: Context, { name, version }: Component, built: BuiltComponent): string {
  const size = sizeText(bytesOf(built), language);
  const time = duration(built.seconds, language);
  if (io.stderr.isTTY !== true) {
    return t({
      en: `${name} ${version}: built in ${time}, ${size}`,
      ru: `${name} ${version}: собран за ${time}, ${size}`,
    });
  }
  const style = styleFor(io.stderr, io.env);
  return `${style.green('✓')} ${name} ${version} ${style.dim(`${size}, ${time}`)}`;
}

/** Removes Go's caches once everything is built: they are large and no longer needed. */
async function cleanUp(context: Context, toolchain: Toolchain): Promise<void> {
  const progress = progressOf(context);
  const timer = setTimeout(
    () => progress.say(context.t({ en: 'removing the caches of Go', ru: 'удаление кешей Go' })),
    1000,
  );
  try {
    await emptyGoCachesWhenBuilt(toolchain);
  } finally {
    clearTimeout(timer);
    progress.end();
  }
}

function summary({ t, style, language }: Context, chosen: number, built: number, seconds: number): string {
  const tick = style.green('✓');
  const time = duration(seconds, language);
  if (built === 0) {
    return `${tick} ${t({
      en: `${count(chosen, 'component is', 'components are')} already built.`,
      ru: `Уже собрано компонентов: ${chosen}.`,
    })}`;
  }
  const before = chosen - built;
  const rest = before > 0 ? t({ en: `; ${before} already built`, ru: `; уже было собрано: ${before}` }) : '';
  return `${tick} ${t({
    en: `${count(built, 'component', 'components')} built in ${time}${rest}.`,
    ru: `Собрано компонентов: ${built} за ${time}${rest}.`,
  })}`;
}
