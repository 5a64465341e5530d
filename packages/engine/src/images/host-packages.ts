import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { hostPackages, hostReleases } from '@nova-platform/catalog';
import { cacheFolder, chooseComponents, chooseToolchain, findBuilt, readComponents } from '@nova-platform/distro';
import { attempt, CommandError, run } from '@nova-platform/process';
import { paths } from '../paths.ts';
import { downloadLists, downloadPackages } from './apt.ts';
import { packageSources } from './sources.ts';

/** What existing hosts install, as this host has collected it. */
export const hostRepositoryCache: string = join(paths.cache, 'hosts');
const keyFolder = join(paths.state, 'host-packages-key');
const programs = ['kubernetes', 'etcd'];
const complete = '.complete';

interface Collecting {
  /** Whether to download what is in the cache already. */
  isUpdate: boolean;
  onLine: (line: string) => void;
}

/** Downloads the packages of existing hosts, with all dependencies, for every supported release of Debian. */
export async function downloadHostPackages({ isUpdate, onLine }: Collecting): Promise<void> {
  for (const release of Object.values(hostReleases)) {
    const cached = join(hostRepositoryCache, release);
    if (isUpdate || !(await isComplete(cached))) await download(release, cached, onLine);
  }
}

/** Makes the repository of existing hosts in a folder: signed packages, and the programs of nodes. */
export async function collectHostPackages(collecting: Collecting, folder: string): Promise<void> {
  const { onLine } = collecting;
  await downloadHostPackages(collecting);
  for (const release of Object.values(hostReleases)) {
    onLine(`signing the packages of ${release}`);
    const target = join(folder, 'debian', release);
    await mkdir(target, { recursive: true });
    await run('sh', ['-c', 'cp "$1"/*.deb "$2"', 'copy', join(hostRepositoryCache, release), target]);
    await writeIndex(target, release);
  }
  await writeFile(join(folder, 'key.asc'), await gpg(['--armor', '--export']));
  await addPrograms(folder, onLine);
}

async function isComplete(folder: string): Promise<boolean> {
  const packages = await readFile(join(folder, complete), 'utf8').catch(() => '');
  return packages === hostPackages.join(' ');
}

async function download(release: string, folder: string, onLine: (line: string) => void): Promise<void> {
  const { present, missing } = await packageSources(release);
  for (const each of missing) onLine(`the mirror has no ${each}: its packages are left out`);
  const building = `${folder}.building-${process.pid}`;
  try {
    onLine(`downloading the packages of ${release}`);
    await downloadLists(building, present);
    const archives = await downloadPackages(building, hostPackages);
    await writeFile(join(archives, complete), hostPackages.join(' '));
    await rm(join(archives, 'partial'), { recursive: true, force: true });
    await rm(join(archives, 'lock'), { force: true });
    await rm(folder, { recursive: true, force: true });
    await rename(archives, folder);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new ProblemError(problem('NOVA7080', { reason: error.stderr.trim().split('\n').at(-1) ?? error.message }));
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

const debsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.deb')).toSorted();

/** A flat repository: `Packages`, and `InRelease` with the signature of this site. */
async function writeIndex(folder: string, release: string): Promise<void> {
  const stanzas: string[] = [];
  for (const name of await debsIn(folder)) {
    const file = join(folder, name);
    // A colon in a file name would have to be encoded in URLs.
    const plain = name.replace(/_\d+%3a/, '_');
    if (plain !== name) await rename(file, join(folder, plain));
    const control = (await run('dpkg-deb', ['--field', join(folder, plain)])).trimEnd();
    const { size } = await stat(join(folder, plain));
    stanzas.push(
      `${control}\nFilename: ${release}/${plain}\nSize: ${size}\nSHA256: ${await digestOf(join(folder, plain))}\n`,
    );
  }
  const packages = stanzas.join('\n');
  await writeFile(join(folder, 'Packages'), packages);
  const digest = createHash('sha256').update(packages).digest('hex');
  const text = [
    'Origin: Nova',
    'Label: Nova',
    `Suite: ${release}`,
    `Codename: ${release}`,
    `Date: ${new Date().toUTCString().replace('GMT', 'UTC')}`,
    'Architectures: amd64',
    'SHA256:',
    ` ${digest} ${Buffer.byteLength(packages)} Packages`,
    '',
  ].join('\n');
  const unsigned = join(folder, 'Release');
  await writeFile(unsigned, text);
  await gpg(['--yes', '--clearsign', '--digest-algo', 'SHA512', '--output', join(folder, 'InRelease'), unsigned]);
  await rm(unsigned);
}

/** The programs of nodes, as archives that are named by their digests. */
async function addPrograms(folder: string, onLine: (line: string) => void): Promise<void> {
  const target = join(folder, 'sha256');
  await mkdir(target, { recursive: true });
  const toolchain = await chooseToolchain(cacheFolder());
  const list: string[] = [];
  for (const component of chooseComponents(await readComponents(), programs)) {
    const built = await findBuilt(component, toolchain);
    if (!built) throw new ProblemError(problem('NOVA8214', { component: component.name }));
    onLine(`packing ${component.name} ${component.version}`);
    const archive = join(target, 'new');
    // A copy: sandboxes and images link the programs meanwhile, and tar would see them change.
    const copy = join(target, 'copy');
    await run('cp', ['-a', join(built.folder, 'bin'), copy]);
    const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
    await run('tar', [
      '--create',
      ...same,
      '--use-compress-program',
      'gzip -1n',
      '--file',
      archive,
      '--transform',
      's/^copy/bin/',
      '-C',
      target,
      'copy',
    ]);
    await rm(copy, { recursive: true });
    const digest = await digestOf(archive);
    await rename(archive, join(target, digest));
    list.push(`${digest} ${component.name} ${component.version}\n`);
  }
  await writeFile(join(folder, 'programs'), list.join(''));
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Runs gpg with the key of this site, which never leaves this host. */
async function gpg(args: readonly string[]): Promise<string> {
  const options = ['--homedir', keyFolder, '--batch', '--quiet', '--pinentry-mode', 'loopback', '--passphrase', ''];
  if (!(await attempt('gpg', ['--version']))) throw new ProblemError(problem('NOVA8509', {}));
  try {
    if (!existsSync(join(keyFolder, 'pubring.kbx'))) {
      await mkdir(keyFolder, { recursive: true, mode: 0o700 });
      await run('gpg', [...options, '--quick-generate-key', 'Nova packages of this site', 'ed25519', 'sign', 'never']);
    }
    return await run('gpg', [...options, ...args]);
  } finally {
    // It would keep the key in memory.
    await run('gpgconf', ['--homedir', keyFolder, '--kill', 'gpg-agent']).catch(() => undefined);
  }
}
