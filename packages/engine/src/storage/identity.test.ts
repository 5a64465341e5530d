import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeIdentity } from './identity.ts';

let folder: string;
let root: string;
let outside: string;

async function write(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
  }
}

async function filesIn(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(place.length))
    .sort();
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-identity-'));
  [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
});
afterEach(() => rm(folder, { recursive: true }));

test('keys, certificates and logs are removed, and everything else stays', async () => {
  const removed = ['/etc/machine-id', '/etc/puppet/ssl/key', '/home/dev/.ssh/id', '/var/log/own/log'];
  const kept = ['/etc/ssh/sshd_config', '/home/dev/file', '/opt/program'];
  await write(...[...removed, '/etc/ssh/ssh_host_rsa_key', ...kept].map((path) => join(root, path)));
  await removeIdentity(root);
  expect(await filesIn(root)).toEqual(kept);
  expect(await readdir(join(root, 'var/log'))).toEqual(['own']);
});

test('links in a machine do not lead the removal out of it', async () => {
  const files = ['/ssh_host_rsa_key', '/own.log', '/dev/.ssh/id', '/puppet/key'];
  await write(...files.map((file) => join(outside, file)));
  for (const path of ['etc/ssh', 'var/log', 'home']) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await symlink(path === 'home' ? '../outside' : outside, join(root, path));
  }
  await symlink(join(outside, 'puppet'), join(root, 'etc/puppet'));
  await removeIdentity(root);
  expect(await filesIn(outside)).toEqual(files.toSorted());
});
