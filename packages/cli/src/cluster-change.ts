import { isEmpty } from '@nova-platform/change/view';
import type { Operation, Preview } from '@nova-platform/contracts/universe/client';
import { changeAsText } from './change-text.ts';
import type { Result } from './command.ts';
import type { Context } from './context.ts';
import { followOperation } from './operation-follow.ts';
import type { Output } from './output.ts';
import { promptsOf } from './prompts.ts';
import type { UniverseAccess } from './universe.ts';

interface Proposed {
  preview: Preview;
  /** Starts the operation. Returns no operation if nothing has to change. */
  start: () => Promise<{ operation?: Operation }>;
}

/** Shows the changes of a cluster, asks for confirmation, applies exactly these changes and shows the progress. */
export async function changeCluster(
  context: Context,
  universe: UniverseAccess,
  { preview, start }: Proposed,
  { yes = false, output }: { yes?: boolean | undefined; output: Output },
): Promise<Result> {
  const { io, t } = context;
  const { change: data } = preview;
  const text = changeAsText(context, data);
  if (isEmpty(data)) return { data, text };
  if (!yes) {
    const prompts = await promptsOf(context, output);
    const how = t({
      en: 'Nothing was changed. Run the command with --yes to apply the changes.',
      ru: 'Ничего не изменено. Чтобы применить, добавьте --yes.',
    });
    if (!prompts) return { data, text: `${text}\n\n${how}` };
    io.stderr.write(`${text}\n\n`);
    if (
      !(await prompts.yes(
        t({ en: `Apply these changes to ${data.cluster}?`, ru: `Применить эти изменения к ${data.cluster}?` }),
      ))
    )
      return { data, text: t({ en: 'Nothing was changed.', ru: 'Ничего не изменено.' }) };
  }
  const { operation } = await start();
  if (!operation) return { data, text };
  return followOperation(context, universe, operation, { output });
}
