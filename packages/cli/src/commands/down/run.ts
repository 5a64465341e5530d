import { keptSite } from '@nova-platform/engine';
import { downSteps } from '@nova-platform/installer';
import { command } from '../../command.ts';
import { changeContexts } from '../../contexts.ts';
import { badValue } from '../../failure.ts';
import type { Io } from '../../io.ts';
import type { Output } from '../../output.ts';
import { promptsOf } from '../../prompts.ts';
import { demandRoot } from '../../root.ts';
import { runSteps } from '../../steps.ts';

export interface DownFlags {
  purge: boolean;
  keepCache: boolean;
  yes: boolean;
  output: Output;
}

export const down = command<DownFlags, []>(async function ({ purge, keepCache, yes, output }) {
  demandRoot();
  const { t, style } = this;
  if (keepCache && !purge)
    throw badValue('--keep-cache', { en: 'it goes with --purge', ru: 'он используется с --purge' });
  const question = t({
    en: 'Remove Universe, all clusters, machines and networks of this box with all their data?',
    ru: 'Удалить Universe, все кластеры, машины и сети этой машины вместе с данными?',
  });
  const isSure = !purge || yes || (await (await promptsOf(this, output))?.yes(question));
  if (!isSure)
    return {
      data: { stopped: false, purged: false },
      text: t({ en: 'Nothing was removed.', ru: 'Ничего не удалено.' }),
    };
  const server = `https://${(await keptSite()).universe.externalAddress}`;
  await runSteps(this, downSteps({ purge, caches: purge && !keepCache }));
  if (purge) forgetUniverse(this.io, server);
  return {
    data: { stopped: true, purged: purge },
    text: `${style.green('✓')} ${
      purge
        ? t({ en: 'Everything is gone.', ru: 'Всё удалено.' })
        : t({ en: 'Everything is stopped; nova-ctl up goes on.', ru: 'Всё остановлено; nova-ctl up продолжит.' })
    }`,
  };
});

/** Removes the contexts of a server that no longer exists. */
function forgetUniverse(io: Io, server: string): void {
  changeContexts(io, ({ current, contexts }) => {
    const others = Object.fromEntries(Object.entries(contexts).filter(([, context]) => context.server !== server));
    return { ...(current !== undefined && current in others && { current }), contexts: others };
  });
}
