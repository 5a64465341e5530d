import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { run } from '@nova-platform/process';
import { openPromise } from 'yauzl';

export interface Toolchain {
  /** The `go` program. */
  program: string;
  /** For example `go1.26.8`. */
  version: string;
  architecture: 'amd64' | 'arm64';
}

/** The oldest Go that builds every component. */
const needed = [1, 26, 8] as const;
const pinned = `go${needed.join('.')}`;

/** SHA-256 of the toolchain module's archive. It is used on a host whose own Go is too old or missing. */
const checksums: Record<Toolchain['architecture'], string> = {
  amd64: '30c2b1bf7dcc88d3eb0a1364e47ddd9128edb3110a30e8a0ef61cd5856b31de7',
  arm64: '02b36b6787b3ac767668f630e2998df45a3b1f9ffee08d1bf3ef6487cd658d99',
};

const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';

const usual = ['go', '/usr/local/go/bin/go'] as const;

/** Chooses the host's Go if it is new enough, otherwise the pinned one, whether it is downloaded or not. */
export async function chooseToolchain(cache: string, programs: readonly string[] = usual): Promise<Toolchain> {
  for (const program of programs) {
    const version = await versionOf(program);
    if (version !== undefined && isNewEnough(version)) return { program, version, architecture };
  }
  return { program: join(cache, 'go', pinned, 'bin', 'go'), version: pinned, architecture };
}

/**
 * Returns the chosen toolchain, ready to run. Downloads the pinned one from the module proxy and verifies its checksum.
 */
export async function findToolchain(
  cache: string,
  say: (line: string) => void,
  programs: readonly string[] = usual,
): Promise<Toolchain> {
  const toolchain = await chooseToolchain(cache, programs);
  const folder = join(cache, 'go', pinned);
  if (toolchain.program.startsWith(folder) && !existsSync(folder)) await fetchToolchain(folder, say, programs);
  return toolchain;
}

async function versionOf(program: string): Promise<string | undefined> {
  const text = await run(program, ['env', 'GOVERSION'], { env: { GOTOOLCHAIN: 'local' } }).catch(() => undefined);
  return text?.trim();
}

export function isNewEnough(version: string): boolean {
  const [, ...parts] = /^go(\d+)\.(\d+)(?:\.(\d+))?$/.exec(version) ?? [];
  for (const [index, least] of needed.entries()) {
    const part = Number(parts[index] ?? 0);
    if (part !== least) return part > least;
  }
  return true;
}

async function fetchToolchain(folder: string, say: (line: string) => void, programs: readonly string[]): Promise<void> {
  const version = `v0.0.1-${pinned}.linux-${architecture}`;
  say(`fetching ${pinned}`);
  const archive = await fetchModule('golang.org/toolchain', version, programs);
  if (createHash('sha256').update(archive).digest('hex') !== checksums[architecture]) {
    throw new ProblemError(problem('NOVA8203', { what: pinned }));
  }
  // Extract beside the target and rename, so that an incomplete toolchain is never used.
  const building = `${folder}.${process.pid}`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  await writeFile(`${building}.zip`, archive);
  await extract(`${building}.zip`, `golang.org/toolchain@${version}/`, building);
  await rm(`${building}.zip`);
  await rename(building, folder).catch(() => rm(building, { recursive: true, force: true }));
}

/** GOPROXY from the environment or from the settings of any Go, even one that is too old to build with. */
async function proxiesOf(programs: readonly string[]): Promise<string> {
  if (process.env.GOPROXY) return process.env.GOPROXY;
  for (const program of programs) {
    const set = await run(program, ['env', 'GOPROXY']).catch(() => '');
    if (set !== '') return set.trim();
  }
  return '';
}

/** Downloads from the first proxy that has the module, like the go command. */
async function fetchModule(module: string, version: string, programs: readonly string[]): Promise<Buffer> {
  const proxies = (await proxiesOf(programs)).split(/[,|]/).filter((each) => each.startsWith('http'));
  for (const proxy of proxies) {
    const response = await fetch(`${proxy}/${module}/@v/${version}.zip`).catch(() => undefined);
    if (response?.ok) return Buffer.from(await response.arrayBuffer());
  }
  throw new ProblemError(problem('NOVA8204', { what: `${module} ${version}` }));
}

async function extract(archive: string, prefix: string, folder: string): Promise<void> {
  const zip = await openPromise(archive, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.startsWith(prefix) || entry.fileName.endsWith('/')) continue;
    const path = join(folder, entry.fileName.slice(prefix.length));
    await mkdir(dirname(path), { recursive: true });
    // Module archives have no execute permissions; the go command marks its programs in the same way.
    const isProgram = /^(bin|pkg\/tool)\//.test(entry.fileName.slice(prefix.length));
    await writeFile(path, await zip.openReadStreamPromise(entry), { mode: isProgram ? 0o755 : 0o644 });
  }
}
