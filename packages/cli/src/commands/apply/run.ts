import { allNodes } from '@nova-platform/config-manager/client';
import { planOf } from '@nova-platform/plan';
import { stringify } from 'yaml';
import { dataOf, differenceAsText, differenceOf } from '../../cluster-difference.ts';
import { readClustersBeside } from '../../clusters.ts';
import { command } from '../../command.ts';
import { followOperation } from '../../operation-follow.ts';
import type { Output } from '../../output.ts';
import { promptsOf } from '../../prompts.ts';
import { configOf } from '../../services.ts';
import { universeOf } from '../../universe.ts';

export interface ApplyFlags {
  file?: readonly string[];
  cluster?: string;
  yes?: boolean;
  output: Output;
}

export const apply = command<ApplyFlags, []>(async function ({ file, cluster, yes = false, output }) {
  const { io, t } = this;
  const universe = universeOf(io);
  const config = configOf(io);
  const planned = planOf(await readClustersBeside(io, file, await config.listPlans({})), cluster);
  const { name } = planned.plan.cluster;
  const { infrastructure, proxy } = planned.documents;
  const documents = [infrastructure, proxy].flatMap((each) => (each ? [stringify(each.value)] : [])).join('---\n');
  const params = { cluster: name };
  const { nodes, shown } = await universe.client.previewCluster({ params, body: { documents } });
  const difference = differenceOf(planned, nodes, await allNodes(config));

  const text = differenceAsText(this, planned, difference);
  const data = dataOf(planned, difference, false);
  if (!difference.isAny) return { data, text };
  if (!yes) {
    const prompts = await promptsOf(this, output);
    const how = t({
      en: 'Nothing was done. The same with --yes does it.',
      ru: 'Ничего не сделано. То же с --yes выполнит это.',
    });
    if (!prompts) return { data, text: `${text}\n\n${how}` };
    io.stderr.write(`${text}\n\n`);
    if (!(await prompts.yes(t({ en: `Do this for ${name}?`, ru: `Выполнить это для ${name}?` }))))
      return { data, text: t({ en: 'Nothing was done.', ru: 'Ничего не сделано.' }) };
  }
  const { operation } = await universe.client.declareCluster({ params, body: { documents, shown } });
  return followOperation(this, universe, operation.id, { output });
});
