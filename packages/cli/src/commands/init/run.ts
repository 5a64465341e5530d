import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Answers,
  loadDocuments,
  type MachineKind,
  manifestText,
  ProblemError,
  problem,
  type Template,
  type UsableProvider,
} from '@nova-platform/api';
import { checkClusters } from '@nova-platform/plan';
import { type UniverseClusters, universeClusters } from '../../clusters.ts';
import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { Interrupted } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { localSite } from '../../site.ts';
import { writeFileSafely } from '../../write.ts';
import { proposalBeside } from './proposal.ts';
import { answersFor } from './questions.ts';

export interface InitFlags {
  file: string;
  template?: Template;
  provider?: UsableProvider;
  machineKind?: MachineKind;
  domain?: string;
  yes?: boolean;
  force?: boolean;
  offline?: boolean;
  output: Output;
}

export const run = command<InitFlags, []>(async function (flags) {
  const { file, template, provider, machineKind, domain, yes = false, force = false, offline = false } = flags;
  const isTerminal = this.io.stdin.isTTY === true && this.io.stdout.isTTY === true;
  if (!yes && !isTerminal) throw new ProblemError(problem('NOVA6004', {}));

  const exists = file !== '-' && existsSync(resolve(this.io.cwd, file));
  const mayOverwrite = force || (exists && !yes && (await askToOverwrite(this, file)));
  if (exists && !mayOverwrite) throw new ProblemError(problem('NOVA6001', { file }));

  const known = offline ? undefined : await universeClusters(this.io);
  const given = {
    ...(template && { template }),
    ...(provider && { provider }),
    ...(machineKind && { machineKind }),
    ...(domain && { domain }),
  };
  const answers = await answersFor(this, given, { isAsking: !yes, proposal: proposalBeside(known) });
  const text = manifestText(answers, this.language);
  refuseInvalid(file, text, known ?? { site: await localSite(), plans: [] });
  if (file === '-') return { data: { manifest: text }, text };

  writeFileSafely(this.io, file, text, { mode: 0o644, mayOverwrite });
  return done(this, file, answers);
});

async function askToOverwrite({ io, t }: Context, file: string): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    message: t({ en: `${file} already exists. Overwrite it?`, ru: `Файл ${file} уже есть. Перезаписать?` }),
    active: t({ en: 'yes', ru: 'да' }),
    inactive: t({ en: 'no', ru: 'нет' }),
    initialValue: false,
    input: io.stdin,
    output: io.stdout,
  });
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}

/** Answers can contradict each other or other clusters. An invalid manifest is never written. */
function refuseInvalid(file: string, text: string, { plans, site }: UniverseClusters): void {
  const { problems } = checkClusters(
    loadDocuments([{ name: file, text }]),
    () => ({ current: undefined, others: plans }),
    site,
  );
  if (problems.length > 0) throw new ProblemError(...problems);
}

function done({ t, style }: Context, file: string, { provider, template }: Answers): Result {
  const argument = file === 'cluster.yaml' ? '' : ` -f ${file}`;
  return {
    data: { file, provider, template },
    text: [
      `${style.green('✓')} ${t({ en: `${file} is written.`, ru: `Файл ${file} создан.` })}`,
      '',
      `  nova-ctl plan${argument}      ${style.dim(t({ en: 'show the plan of the cluster', ru: 'показать план кластера' }))}`,
    ].join('\n'),
  };
}
