import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const program = join(import.meta.dirname, '..', 'nova-ctl');
const run = promisify(execFile);

export async function novaCtl(...args: string[]): Promise<string> {
  const running = run(program, args, { maxBuffer: 64 * 2 ** 20 });
  // A command in a VM starts when its input has ended.
  running.child.stdin?.end();
  return (await running).stdout;
}

/** Starts networks and engine, runs the work, and always stops them. */
export async function onHost(work: () => Promise<void>): Promise<void> {
  await novaCtl('host', 'up');
  try {
    await work();
  } finally {
    await novaCtl('host', 'down');
  }
}

export function sh(script: string): string {
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' });
}
