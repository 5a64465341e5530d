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
    if (!prompts)
      throw badValue('--yes', {
        en: '--yes: there is no terminal for questions',
        ru: '--yes: нет терминала, чтобы задать вопрос',
      });
    const question = this.t({
      en: `This deletes ${cluster} with ${count(nodeCount, 'machine', 'machines')} and all data. Type the name of the cluster to confirm:`,
      ru: `Кластер ${cluster} и его машины (${nodeCount}) будут удалены со всеми данными. Для подтверждения введите имя кластера:`,
    });
    if ((await prompts.text(question, '')) !== cluster)
      return { data: undefined, text: this.t({ en: 'Nothing was deleted.', ru: 'Ничего не удалено.' }) };
  }
  const operation = await universe.client.destroyCluster({ params: { cluster } });
  return followOperation(this, universe, operation, { output });
});
