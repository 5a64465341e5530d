import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ovirtFolder, ovirtUser } from '@nova-platform/contracts/ovirt';
import { bundleFolder } from '../bundle.ts';
import { treeDigest } from '../images/tree.ts';
import { paths } from '../paths.ts';
import type { Service } from '../supervisor.ts';

const folder = join(paths.state, 'programs', 'ovirt');

export const ovirtService: Service = {
  name: ovirtUser,
  command: join(folder, 'node'),
  args: [join(folder, 'nova-ovirt.js')],
  user: { name: ovirtUser, folder: ovirtFolder },
};

/** Copies the program to where its user can read it: this bundle may be in a home folder. Returns whether it is new. */
export async function installOvirt(): Promise<boolean> {
  const bundle = bundleFolder();
  const version = treeDigest(bundle);
  if ((await readFile(join(folder, 'version'), 'utf8').catch(() => '')) === version) return false;
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  const scripts = (await readdir(bundle)).filter((name) => name.endsWith('.js'));
  for (const name of scripts) await copyFile(join(bundle, name), join(fresh, name));
  await copyFile(process.execPath, join(fresh, 'node'), constants.COPYFILE_FICLONE);
  await writeFile(join(fresh, 'package.json'), '{ "type": "module" }\n');
  await writeFile(join(fresh, 'version'), version);
  await removeOvirtProgram();
  await rename(fresh, folder);
  return true;
}

export async function removeOvirtProgram(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
