import { command } from '../../command.ts';
import { badValue } from '../../failure.ts';
import { followOperation } from '../../operation-follow.ts';
import type { Output } from '../../output.ts';
import { promptsOf } from '../../prompts.ts';
import { universeOf } from '../../universe.ts';
import { count } from '../../words.ts';

export interface DestroyFlags {
  yes?: boolean;
  output: Output;
}

export const destroy = command<DestroyFlags, [cluster: string]>(async function ({ yes = false, output }, cluster) {
  const universe = universeOf(this.io);
  const { nodeCount } = await universe.client.showCluster({ params: { cluster } });
  if (!yes) {
    const prompts = await promptsOf(this, output);
    if (!prompts) throw badValue('--yes', { en: 'it, where nobody can be asked', ru: 'его, если спросить некого' });
    const question = this.t({
      en: `${cluster} with ${count(nodeCount, 'machine', 'machines')} and all ${nodeCount === 1 ? 'its' : 'their'} data will be gone. Type its name to go on:`,
      ru: `${cluster} и его машины (${nodeCount}) со всеми данными будут удалены. Введите его имя для продолжения:`,
    });
    if ((await prompts.text(question, '')) !== cluster)
      return { data: undefined, text: this.t({ en: 'Nothing was removed.', ru: 'Ничего не удалено.' }) };
  }
  const operation = await universe.client.destroyCluster({ params: { cluster } });
  return followOperation(this, universe, operation, { output });
});
