import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PackageUpdate } from '@nova-platform/contracts/engine';
import { CommandError, run } from '@nova-platform/process';
import type { Source } from './sources.ts';

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * A line of apt's `sources.list`. Hosts of other distributions may lack the keyring; then apt's trusted keys are used.
 */
export function sourceLine({
  uri,
  suite,
  options = existsSync(keyring) ? `signed-by=${keyring}` : '',
}: Source): string {
  return ['deb', options && `[${options}]`, uri, suite, 'main'].filter(Boolean).join(' ');
}

/** Why a source cannot be read; undefined if it can. */
export async function downloadProblem({ uri, suite }: Source): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'nova-apt-'));
  try {
    const url = `${uri}/dists/${suite}/InRelease`;
    await run('/usr/lib/apt/apt-helper', ['-o', 'Acquire::Retries=0', 'download-file', url, join(folder, 'InRelease')]);
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return reasonIn(error);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Downloads package lists to a private folder. */
export async function downloadLists(folder: string, sources: readonly Source[]): Promise<void> {
  for (const name of ['lists/partial', 'cache/archives/partial']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'sources.list'), `${sources.map(sourceLine).join('\n')}\n`);
  await writeFile(configIn(folder), await privateConfig(folder), { mode: 0o600 });
  await run('apt-get', ['-q', 'update'], { env: { APT_CONFIG: configIn(folder) } });
}

/** Compares the packages of a dpkg status file with the downloaded lists. apt itself compares versions. */
export async function newerPackages(folder: string, status: string): Promise<PackageUpdate[]> {
  const options = ['-o', `Dir::State::status=${status}`, '-o', 'Debug::NoLocking=true'];
  const text = await run('apt-get', ['-s', ...options, 'dist-upgrade'], { env: { APT_CONFIG: configIn(folder) } });
  return updatesIn(text);
}

/** Downloads packages with all dependencies, as for a system without any package. Returns their folder. */
export async function downloadPackages(folder: string, packages: readonly string[]): Promise<string> {
  const status = join(folder, 'status');
  await writeFile(status, '');
  const options = ['-o', `Dir::State::status=${status}`, '-o', 'Debug::NoLocking=true', '--no-install-recommends'];
  await run('apt-get', ['-q', '-y', '--download-only', ...options, 'install', ...packages], {
    env: { APT_CONFIG: configIn(folder) },
  });
  return join(folder, 'cache', 'archives');
}

/**
 * For example `Inst curl [8.14.1-2] (8.14.1-2+deb13u1 Debian-Security:13/stable-security [amd64])`. A new package has
 * no installed version.
 */
export function updatesIn(text: string): PackageUpdate[] {
  const lines = text.matchAll(/^Inst (\S+) \[([^\]]+)\] \((\S+) (.*) \[[^\]]+\]\)/gm);
  return [...lines]
    .map(([, name = '', installed = '', available = '', origins = '']) => ({
      name,
      installed,
      available,
      isSecurity: /\bDebian-Security:/.test(origins),
    }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

function configIn(folder: string): string {
  return join(folder, 'apt.conf');
}

/** Uses only the connection settings of the host's apt, such as proxies, and neither its state nor its hooks. */
async function privateConfig(folder: string): Promise<string> {
  const architecture = (await run('dpkg', ['--print-architecture'])).trim();
  const connection = (await run('apt-config', ['dump']))
    .split('\n')
    .filter((line) => /^Acquire::(?!IndexTargets|Languages|Changelogs)/.test(line));
  const nothing = ['main', 'parts', 'sourceparts', 'preferences', 'preferencesparts'];
  return [
    ...nothing.map((name) => `Dir::Etc::${name} "/dev/null";`),
    `Dir::Etc::sourcelist "${join(folder, 'sources.list')}";`,
    `Dir::State "${folder}";`,
    `Dir::State::lists "${join(folder, 'lists')}";`,
    `Dir::Cache "${join(folder, 'cache')}";`,
    'Dir::Cache::pkgcache "";',
    'Dir::State::status "/dev/null";',
    `APT::Architecture "${architecture}";`,
    `APT::Architectures "${architecture}";`,
    'APT::Update::Error-Mode "any";',
    'Acquire::Languages "none";',
    ...connection,
    '',
  ].join('\n');
}

/** apt repeats itself; the first line with an error has the reason. */
function reasonIn({ stderr }: CommandError): string {
  const line = stderr.split('\n').find((each) => each.startsWith('E: ')) ?? stderr.trim();
  return line.replace(/^E: /, '').replace(/\s+/g, ' ').trim();
}
