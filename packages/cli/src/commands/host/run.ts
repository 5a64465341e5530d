import { engineClient } from '@nova-platform/contracts/engine/client';
import { checkHost, type Finding, hostDown, startHost } from '@nova-platform/installer';
import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { OutputFlags } from '../../group.ts';
import { progressOf } from '../../progress.ts';
import { assertRoot } from '../../root.ts';
import { givenAddresses, namingOptions, type SiteFlags } from '../../site.ts';
import { table } from '../../tree.ts';

export async function check(this: Context): Promise<Result> {
  const { t, style } = this;
  const findings = await checkHost();
  const rows = table(findings.map(({ what, isThere, remedy }) => [t(what), isThere ? '' : `→ ${t(remedy)}`]));
  const mark = ({ isThere, isOptional }: Finding) =>
    isThere ? style.green('✓') : isOptional ? style.yellow('!') : style.red('✗');
  const lines = findings.map((finding, index) => `${mark(finding)} ${rows[index]}`);
  const isReady = findings.every(({ isThere, packages, isOptional }) => isThere || packages || isOptional);
  const verdict = isReady
    ? t({
        en: 'This host can run machines: nova-ctl host up',
        ru: 'Этот хост может запускать машины: nova-ctl host up',
      })
    : t({ en: 'This host cannot run machines.', ru: 'Этот хост не может запускать машины.' });
  return {
    data: {
      ready: isReady,
      findings: findings.map(({ what, isThere, isOptional = false, remedy }) => ({
        what: t(what),
        present: isThere,
        optional: isOptional,
        remedy: isThere ? undefined : t(remedy),
      })),
    },
    text: [...lines, '', verdict].join('\n'),
    exitCode: isReady ? exitCodes.done.code : exitCodes.failed.code,
  };
}

export type HostUpFlags = OutputFlags & SiteFlags;

export const up = command<HostUpFlags, []>(async function (flags) {
  assertRoot();
  const progress = progressOf(this);
  try {
    await namingOptions(() => startHost(progress.say, givenAddresses(flags)));
  } finally {
    progress.end();
  }
  return {
    data: { up: true },
    text: this.t({
      en: `${this.style.green('✓')} The networks and the engine are running.\n\n  nova-ctl image build node\n  nova-ctl network create lab --cidr 10.30.0.0/24\n  nova-ctl machine create m1 --image node --network lab`,
      ru: `${this.style.green('✓')} Сети и движок работают.\n\n  nova-ctl image build node\n  nova-ctl network create lab --cidr 10.30.0.0/24\n  nova-ctl machine create m1 --image node --network lab`,
    }),
  };
});

export async function open(this: Context, _flags: OutputFlags, port: string): Promise<Result> {
  return openPorts(this, await engineClient.changeOpenPorts([...(await engineClient.openPorts()), port]));
}

export async function close(this: Context, _flags: OutputFlags, port: string): Promise<Result> {
  const others = (await engineClient.openPorts()).filter((each) => each !== port);
  return openPorts(this, await engineClient.changeOpenPorts(others));
}

function openPorts({ t, style }: Context, ports: string[]): Result {
  const list = ports.join(', ') || t({ en: 'none', ru: 'нет' });
  return {
    data: { openPorts: ports },
    text: `${style.green('✓')} ${t({ en: `Open ports of this host: ${list}.`, ru: `Открытые порты этого хоста: ${list}.` })}`,
  };
}

export async function down(this: Context, _flags: OutputFlags): Promise<Result> {
  assertRoot();
  const progress = progressOf(this);
  try {
    await hostDown(progress.say);
  } finally {
    progress.end();
  }
  return {
    data: { up: false },
    text: this.t({
      en: `${this.style.green('✓')} All machines and networks are removed.`,
      ru: `${this.style.green('✓')} Все машины и сети удалены.`,
    }),
  };
}
