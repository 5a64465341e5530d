import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Answers,
  checkCluster,
  groupClusters,
  loadDocuments,
  manifestText,
  ProblemError,
  problem,
  type Template,
  type UsableProvider,
} from '@nova-platform/api';
import { type Site, siteNetworks, siteZones } from '@nova-platform/plan';
import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { Interrupted } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { localSite } from '../../site.ts';
import { writeFileSafely } from '../../write.ts';
import { answersFor } from './questions.ts';

export interface InitFlags {
  file: string;
  template?: Template;
  provider?: UsableProvider;
  domain?: string;
  yes?: boolean;
  force?: boolean;
  output: Output;
}

export const run = command<InitFlags, []>(async function (flags) {
  const { file, template, provider, domain, yes = false, force = false } = flags;
  const isTerminal = this.io.stdin.isTTY === true && this.io.stdout.isTTY === true;
  if (!yes && !isTerminal) throw new ProblemError(problem('NOVA6004', {}));

  const exists = file !== '-' && existsSync(resolve(this.io.cwd, file));
  const mayOverwrite = force || (exists && !yes && (await askToOverwrite(this, file)));
  if (exists && !mayOverwrite) throw new ProblemError(problem('NOVA6001', { file }));

  const given = { ...(template && { template }), ...(provider && { provider }), ...(domain && { domain }) };
  const answers = await answersFor(this, given, !yes);
  const text = manifestText(answers, this.language);
  refuseInvalid(file, text, await localSite());
  if (file === '-') return { data: { manifest: text }, text };

  writeFileSafely(this.io, file, text, { mode: 0o644, mayOverwrite });
  return done(this, file, answers);
});

async function askToOverwrite({ io, t }: Context, file: string): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    message: t({ en: `${file} exists already. Overwrite it?`, ru: `Файл ${file} уже есть. Перезаписать?` }),
    active: t({ en: 'yes', ru: 'да' }),
    inactive: t({ en: 'no', ru: 'нет' }),
    initialValue: false,
    input: io.stdin,
    output: io.stdout,
  });
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}

/** Answers can contradict each other. An invalid manifest is never written. */
function refuseInvalid(file: string, text: string, site: Site): void {
  const { documents, problems } = loadDocuments([{ name: file, text }]);
  const { clusters } = groupClusters(documents);
  const findings = clusters.flatMap((cluster) =>
    checkCluster(cluster, { siteNetworks: siteNetworks(site), siteZones: siteZones(site), clusters: [] }),
  );
  if (problems.length + findings.length > 0) throw new ProblemError(...problems, ...findings);
}

function done({ t, style }: Context, file: string, { provider, template }: Answers): Result {
  const argument = file === 'cluster.yaml' ? '' : ` -f ${file}`;
  return {
    data: { file, provider, template },
    text: [
      `${style.green('✓')} ${t({ en: `${file} is written.`, ru: `Файл ${file} создан.` })}`,
      '',
      `  nova-ctl plan${argument}      ${style.dim(t({ en: 'see everything that would exist', ru: 'увидеть всё, что будет создано' }))}`,
    ].join('\n'),
  };
}
