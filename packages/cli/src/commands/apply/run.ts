import { planOf, siteOf } from '@nova-platform/plan';
import { stringify } from 'yaml';
import { changeCluster } from '../../cluster-change.ts';
import { readClustersBeside } from '../../clusters.ts';
import { command } from '../../command.ts';
import type { Output } from '../../output.ts';
import { configOf } from '../../services.ts';
import { universeOf } from '../../universe.ts';

export interface ApplyFlags {
  file?: readonly string[];
  cluster?: string;
  yes?: boolean;
  output: Output;
}

export const apply = command<ApplyFlags, []>(async function ({ file, cluster, ...flags }) {
  const universe = universeOf(this.io);
  const site = siteOf(await universe.client.site({}));
  const plans = await configOf(this.io).listPlans({});
  const planned = planOf(await readClustersBeside(this.io, file, plans, site), cluster);
  const { infrastructure, proxy } = planned.documents;
  const documents = [infrastructure, proxy].flatMap((each) => (each ? [stringify(each.value)] : [])).join('---\n');
  const params = { cluster: planned.plan.cluster.name };
  const preview = await universe.client.previewCluster({ params, body: { documents } });
  const start = () => universe.client.declareCluster({ params, body: { documents, digest: preview.digest } });
  return changeCluster(this, universe, { preview, start }, flags);
});
