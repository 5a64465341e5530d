import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { environment } from './environment.ts';

/** Runs git in one of our repositories. Returns its output, or throws with its error message. */
export async function runGit(repository: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn('git', args, { cwd: repository, env: environment });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // git may exit before it has read all input.
  child.stdin.on('error', () => undefined).end(input);
  const [output, complaint, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended]);
  if (code !== 0) throw new Error(`git ${args[0]}: ${complaint.toString().trim()}`);
  return output.toString();
}
