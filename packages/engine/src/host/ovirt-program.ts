import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ovirtFolder, ovirtUser } from '@nova-platform/contracts/ovirt';
import { bundleFolder } from '../bundle.ts';
import { faultPoint } from '../fault.ts';
import { treeDigest } from '../images/tree.ts';
import { paths } from '../paths.ts';
import type { Service } from '../supervisor.ts';

const folder = join(paths.state, 'programs', 'ovirt');
const fresh = `${folder}.new`;
const versionFile = join(folder, 'version');

export const ovirtService: Service = {
  name: ovirtUser,
  command: join(folder, 'node'),
  args: [join(folder, 'nova-ovirt.js')],
  user: { name: ovirtUser, folder: ovirtFolder },
};

/** Copies the program to where its user can read it: this bundle may be in a home folder. Returns whether it is new. */
export async function installOvirt(): Promise<boolean> {
  const bundle = bundleFolder();
  if ((await readFile(versionFile, 'utf8').catch(() => '')) === treeDigest(bundle)) return false;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  const scripts = (await readdir(bundle)).filter((name) => name.endsWith('.js'));
  for (const name of scripts) await copyFile(join(bundle, name), join(fresh, name));
  await copyFile(process.execPath, join(fresh, 'node'), constants.COPYFILE_FICLONE);
  await writeFile(join(fresh, 'package.json'), '{ "type": "module" }\n');
  faultPoint('ovirt.copied');
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
  faultPoint('ovirt.installed');
  return true;
}

/** Records the installed version once it runs: until then the next `installOvirt` finds it new. */
export async function writeOvirtVersion(): Promise<void> {
  await writeFile(versionFile, treeDigest(bundleFolder()));
}

/** Whether anything of the program is there. */
export function isOvirtInstalled(): boolean {
  return [folder, fresh].some((each) => existsSync(each));
}

export async function removeOvirtProgram(): Promise<void> {
  for (const each of [fresh, folder]) await rm(each, { recursive: true, force: true });
}
