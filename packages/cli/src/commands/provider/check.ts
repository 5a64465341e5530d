import { reportedProblems, type Text } from '@nova-platform/api';
import type { ProviderChecks } from '@nova-platform/contracts/universe/client';
import { planOf, siteOf } from '@nova-platform/plan';
import { stringify } from 'yaml';
import { readClustersBeside } from '../../clusters.ts';
import { command, problemsAsText } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { problemAsData } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { configOf } from '../../services.ts';
import { universeOf } from '../../universe.ts';

export interface CheckFlags {
  file?: readonly string[];
  cluster?: string;
  output: Output;
}

const titles: Record<ProviderChecks['checks'][number]['name'], Text> = {
  connection: { en: 'connection', ru: 'подключение' },
  rights: { en: 'rights', ru: 'права' },
  cluster: { en: 'cluster', ru: 'кластер' },
  template: { en: 'template', ru: 'шаблон' },
  network: { en: 'network', ru: 'сеть' },
  storage: { en: 'storage', ru: 'хранилище' },
  names: { en: 'names of machines', ru: 'имена машин' },
  plan: { en: 'plan of OpenTofu', ru: 'план OpenTofu' },
};

export const check = command<CheckFlags, []>(async function ({ file, cluster }) {
  const { language, style, t } = this;
  const { client } = universeOf(this.io);
  const site = siteOf(await client.site({}));
  const plans = await configOf(this.io).listPlans({});
  const { plan, documents } = planOf(await readClustersBeside(this.io, file, plans, site), cluster);
  const read = [documents.infrastructure, documents.proxy].flatMap((each) => (each ? [stringify(each.value)] : []));
  const params = { cluster: plan.cluster.name };
  const { checks } = await client.checkProvider({ params, body: { documents: read.join('---\n') } });
  const results = checks.map(({ problems, ...each }) => ({ ...each, problems: reportedProblems(problems) }));
  const all = results.flatMap(({ problems }) => problems);
  const lines = results.map(({ name, problems, found }) => {
    const title = t(titles[name]);
    if (problems.length > 0) return `${style.red('✗')} ${title}`;
    return `${style.green('✓')} ${title}${found ? `: ${t(found)}` : ''}`;
  });
  return {
    data: {
      ready: all.length === 0,
      checks: results.map(({ name, problems, found }) => ({
        name,
        ok: problems.length === 0,
        ...(found && { found: t(found) }),
        problems: problems.map((each) => problemAsData(each, language)),
      })),
    },
    text: all.length === 0 ? lines.join('\n') : `${lines.join('\n')}\n\n${problemsAsText(all, language, style)}`,
    ...(all.length > 0 && { exitCode: exitCodes.invalid.code }),
  };
});
