import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ProblemError } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { run } from '@nova-platform/process';

/** The command that runs the engine from its sources. */
export const program: readonly string[] = [process.execPath, join(import.meta.dirname, 'main.ts')];

/** The output of a command in a machine, with any exit code. */
export async function inside(machine: string, command: string): Promise<string> {
  const output = new PassThrough();
  const printed = text(output);
  const streams = { stdin: Readable.from([]), stdout: output, stderr: output };
  try {
    await engineClient.exec(machine, { command: ['sh', '-c', command] }, streams);
  } finally {
    output.end();
  }
  return printed;
}

/** The error codes that the work fails with. */
export async function codesOf(work: Promise<unknown>): Promise<string[]> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  return error instanceof ProblemError ? error.problems.map(({ code }) => code) : [];
}

/** Processes, mounts, links and routes of Nova on this host. */
export async function running(): Promise<string[]> {
  const found = await Promise.all(
    [
      'ip netns list | cut -d" " -f1 | grep ^nova',
      'grep nova /proc/mounts | grep -v /var/cache',
      'ip -o link show | cut -d: -f2 | grep -E "nova|ovs"',
      'ip -4 route show table all | grep -E "172\\.30\\.|10\\.255\\.|100\\.64\\.|nova"',
      'find /sys/fs/cgroup -type d -name "nova*"',
      'pgrep -af "engine/src/main.ts|ovs-vswitchd|ovn-|ovsdb-server|conmon|lxcfs" | grep -v pgrep',
      'ls -d /run/nova 2>/dev/null',
    ].map((script) => run('sh', ['-c', `${script} || true`])),
  );
  return found.flatMap((each) => each.split('\n')).filter((line) => line !== '');
}
