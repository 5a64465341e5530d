import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { environment } from './environment.ts';

/** Runs git in a repository of ours; answers what it says, or throws why it failed. */
export async function runGit(repository: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn('git', args, { cwd: repository, env: environment });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined).end(input);
  const [output, complaint, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended]);
  if (code !== 0) throw new Error(`git ${args[0]}: ${complaint.toString().trim()}`);
  return output.toString();
}
