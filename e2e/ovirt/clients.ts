import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Python with the SDK of oVirt, and Ansible; `prepare.sh` installs them. */
export const ovirtClients: string = join(homedir(), '.cache/nova/ovirt-clients');

/** Runs a program and returns its output. */
export async function run(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', ANSIBLE_COLLECTIONS_PATH: join(ovirtClients, 'collections') };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output}${errors}`);
  return output;
}
