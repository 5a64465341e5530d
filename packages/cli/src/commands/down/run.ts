import type { Text } from '@nova-platform/api';
import { builtFolder, downSteps, keptSite } from '@nova-platform/installer';
import { command } from '../../command.ts';
import { changeContexts } from '../../contexts.ts';
import { badValue } from '../../failure.ts';
import type { Io } from '../../io.ts';
import type { Output } from '../../output.ts';
import { promptsOf } from '../../prompts.ts';
import { assertRoot } from '../../root.ts';
import { runSteps } from '../../steps.ts';

export interface DownFlags {
  purge: boolean;
  caches: boolean;
  yes: boolean;
  output: Output;
}

export const down = command<DownFlags, []>(async function ({ purge, caches, yes, output }) {
  assertRoot();
  const { t } = this;
  if (caches && !purge) throw badValue('--caches', { en: 'it together with --purge', ru: 'вместе с --purge' });
  const isSure = !purge || yes || (await (await promptsOf(this, output))?.yes(t(questionFor(caches))));
  if (!isSure)
    return {
      data: { stopped: false, purged: false },
      text: t({ en: 'Nothing was removed.', ru: 'Ничего не удалено.' }),
    };
  const server = `https://${(await keptSite()).universe.externalAddress}`;
  await runSteps(this, downSteps({ purge, caches }));
  if (purge) forgetUniverse(this.io, server);
  return {
    data: { stopped: true, purged: purge, cachesRemoved: caches },
    text: `${this.style.green('✓')} ${t(doneText(purge, caches))}`,
  };
});

function questionFor(caches: boolean): Text {
  if (caches)
    return {
      en: `Remove Universe, all clusters, machines and networks of this host with all data, and all built programs and
images? A new build takes a quarter of an hour.`,
      ru: `Удалить Universe, все кластеры, машины и сети этого хоста вместе с данными, а также собранные программы и
образы? Новая сборка займёт четверть часа.`,
    };
  return {
    en: `Remove Universe, all clusters, machines and networks of this host with all data? Built programs and images are
kept.`,
    ru: `Удалить Universe, все кластеры, машины и сети этого хоста вместе с данными? Собранные программы и образы
останутся.`,
  };
}

function doneText(purge: boolean, caches: boolean): Text {
  if (!purge)
    return {
      en: 'Everything is stopped. nova-ctl up starts it again.',
      ru: 'Всё остановлено. nova-ctl up запустит всё снова.',
    };
  if (caches) return { en: 'Everything is removed.', ru: 'Всё удалено.' };
  return {
    en: `Everything is removed, except built programs and images in ${builtFolder}.\n  nova-ctl down --purge --caches removes them too; a new build takes a quarter of an hour.`,
    ru: `Всё удалено, кроме собранных программ и образов в ${builtFolder}.\n  nova-ctl down --purge --caches удалит и их; новая сборка занимает четверть часа.`,
  };
}

/** Removes the contexts of a server that no longer exists. */
function forgetUniverse(io: Io, server: string): void {
  changeContexts(io, ({ current, contexts }) => {
    const others = Object.fromEntries(Object.entries(contexts).filter(([, context]) => context.server !== server));
    return { ...(current !== undefined && current in others && { current }), contexts: others };
  });
}
