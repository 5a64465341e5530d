import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { run } from '@nova-platform/process';
import { resolveIn } from '../machines/root-files.ts';

/**
 * What a template leaves out: files by which a machine is recognized or that give access to it. `*` stands for any name.
 */
export const identity: readonly string[] = [
  '/etc/hostname',
  '/etc/hosts',
  '/etc/machine-id',
  '/etc/kubernetes',
  '/etc/nova',
  '/etc/puppet',
  '/etc/ssh/ssh_host_*',
  '/home/*/.ssh',
  '/root/.bash_history',
  '/root/.ssh',
  '/var/cache/puppet',
  '/var/lib/dbus/machine-id',
  '/var/lib/puppet',
  '/var/lib/systemd/credential.secret',
  '/var/lib/systemd/random-seed',
  '/var/log/journal/*',
];
/** Its files are left out too; programs may need the folders. */
const logs = '/var/log';

/** Removes the identity of a machine from a copy of its files. Links in it are not followed out of it. */
export async function removeIdentity(root: string): Promise<void> {
  for (const path of identity) for (const place of await matches(root, path)) await rm(place, { recursive: true });
  const folder = await resolveIn(root, logs);
  if (existsSync(folder)) await run('find', [folder, '!', '-type', 'd', '-delete']);
}

async function matches(root: string, path: string): Promise<string[]> {
  const [above = '', below = ''] = path.split('/*', 2);
  if (path.includes('/*/'))
    return (
      await Promise.all((await entries(root, above)).map((name) => matches(root, join(above, name, below))))
    ).flat();
  const pattern = basename(path);
  const names = await entries(root, dirname(path));
  const folder = await resolveIn(root, dirname(path));
  const isMatch = (name: string) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern);
  return names.filter(isMatch).map((name) => join(folder, name));
}

async function entries(root: string, folder: string): Promise<string[]> {
  return readdir(await resolveIn(root, folder)).catch(() => []);
}
