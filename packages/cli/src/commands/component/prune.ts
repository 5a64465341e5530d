import { cacheFolder, chooseToolchain, pruneComponents } from '@nova-platform/distro';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';

export async function prune(this: Context): Promise<Result> {
  const removed = await pruneComponents(await chooseToolchain(cacheFolder()));
  return {
    data: { removed },
    text:
      removed.length > 0 ? removed.join('\n') : this.t({ en: 'There is nothing to remove.', ru: 'Удалять нечего.' }),
  };
}
