import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ProblemError, problem } from '@nova-platform/api';
import { CommandError, run } from '@nova-platform/process';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { badValue } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { progressOf } from '../../progress.ts';
import { universeOf } from '../../universe.ts';

export interface JoinFlags {
  ssh: string;
  knownHosts?: string;
  identity?: string;
  output: Output;
}

const lifetimeSeconds = 1800;
/** Each connection is a process. */
const atOnce = 16;
/** What a failed command shows of its output. */
const shownLines = 12;

export const join = command<JoinFlags, string[]>(async function (flags, ...names) {
  const { io, t, style } = this;
  const [, user = '', host] = /^([a-z_][a-z0-9_.-]*)(?:@([A-Za-z0-9][A-Za-z0-9.:-]*))?$/.exec(flags.ssh) ?? [];
  if (user === '' || (host !== undefined && names.length > 1))
    throw badValue('--ssh', {
      en: 'user@host for one host; for several hosts only the user: the manifest has their addresses',
      ru: 'user@host для одного хоста; для нескольких — только пользователь: адреса есть в манифесте',
    });
  const { client } = universeOf(io);
  const progress = progressOf(this);
  const isAsked = io.stdin.isTTY === true && flags.knownHosts === undefined;
  const hosts = await Promise.all(
    names.map((name) => client.createJoinCommand({ params: { name }, body: { lifetimeSeconds } })),
  );
  const targets = hosts.map((each) => ({ ...each, target: `${user}@${host ?? each.address}` }));
  // One after the other: OpenSSH itself asks on the terminal whether an unknown host key is right.
  if (isAsked) for (const { target } of targets) await confirmKey(this, target, flags);
  const problems: ProblemError[] = [];
  const waiting = [...targets];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { name, target, command: line } = next;
      progress.say(`${name}: ${target}`);
      await joinOver(target, line, user, flags, (text) => progress.say(`${name}: ${text}`)).catch((error: unknown) => {
        if (!(error instanceof CommandError)) throw error;
        problems.push(new ProblemError(problem('NOVA8508', { name, reason: reasonIn(error) })));
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work)).finally(progress.end);
  if (problems.length > 0) throw new ProblemError(...problems.flatMap((each) => each.problems));
  return {
    data: { joined: names },
    text: `${style.green('✓')} ${t({ en: `Joined: ${names.join(', ')}.`, ru: `Присоединены: ${names.join(', ')}.` })}`,
  };
});

/** Runs the command in a shell of root. It is sent as input: arguments are visible to every user of the host. */
async function joinOver(
  target: string,
  line: string,
  user: string,
  flags: JoinFlags,
  onLine: (line: string) => void,
): Promise<void> {
  const shell = user === 'root' ? 'sh -s' : 'sudo -n sh -s';
  await run('ssh', [...optionsOf(flags), '-o', 'BatchMode=yes', '-o', 'StrictHostKeyChecking=yes', target, shell], {
    input: `${line}\n`,
    onLine,
  });
}

async function confirmKey({ io }: Context, target: string, flags: JoinFlags): Promise<void> {
  const args = [...optionsOf(flags), '-o', 'StrictHostKeyChecking=ask', target, 'true'];
  await once(spawn('ssh', args, { stdio: 'inherit', env: { ...io.env } }), 'close');
}

function optionsOf({ knownHosts, identity }: JoinFlags): string[] {
  return [
    ...(knownHosts === undefined ? [] : ['-o', `UserKnownHostsFile=${knownHosts}`, '-o', 'GlobalKnownHostsFile=none']),
    ...(identity === undefined ? [] : ['-i', identity, '-o', 'IdentitiesOnly=yes']),
    '-o',
    'ConnectTimeout=10',
  ];
}

function reasonIn({ stdout, stderr }: CommandError): string {
  return `${stdout}\n${stderr}`.trim().split('\n').slice(-shownLines).join('\n');
}
