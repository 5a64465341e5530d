import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { cp, link, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { CommandError, exclusively, run, sharing, unlessLocked } from '@nova-platform/process';
import { buildKey, cacheFolder, goCaches, goCachesLock, removeTree, resultFolder } from './cache.ts';
import { type Component, distroFolder, type Program, readComponents } from './component.ts';
import { downloadIn, type GoSetup, runGo } from './go.ts';
import { writeImages } from './image.ts';
import { collectLicences } from './licences.ts';
import { type Module, modulesOf, writeBillOfMaterials } from './modules.ts';
import { sourceFolder } from './source.ts';
import { findToolchain, type Toolchain } from './toolchain.ts';

interface BuiltProgram {
  name: string;
  bytes: number;
  sha256: string;
}

/** The result of a build: programs in `bin`, files of the module in `files`, images in `images`, licences, SBOM. */
export interface BuiltComponent {
  folder: string;
  key: string;
  seconds: number;
  programs: BuiltProgram[];
  images: { name: string; digest: string; bytes: number }[];
  /** Linked modules that have no licence file. */
  withoutLicence: string[];
}

/** The progress of a build; `part` is the fraction of the whole component that is done. */
export interface Progress {
  component: string;
  doing: 'waiting' | 'downloading' | 'compiling' | 'linking' | 'packing' | 'done';
  part: number;
  /** The module or package that is being downloaded or compiled. */
  detail?: string;
  /** Estimated remaining time. */
  seconds?: number;
}

export const doingText: Record<Progress['doing'], Text> = {
  waiting: { en: 'waiting: another process is building it', ru: 'ожидание: его собирает другой процесс' },
  downloading: { en: 'downloading', ru: 'загрузка' },
  compiling: { en: 'compiling', ru: 'компиляция' },
  linking: { en: 'linking', ru: 'компоновка' },
  packing: { en: 'building images', ru: 'сборка образов' },
  done: { en: 'done', ru: 'готово' },
};

/** The fraction of a build after which only linking and packing are left. */
const compiledPart = 0.9;

interface Options {
  cache?: string;
  /** Module cache to use instead of the one in `cache`. */
  modules?: string;
  toolchain?: Toolchain;
  /** Stops the build. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Returns the build result if the component is already built. */
export async function findBuilt(
  component: Component,
  toolchain: Toolchain,
  cache: string = cacheFolder(),
): Promise<BuiltComponent | undefined> {
  const key = buildKey(component, toolchain);
  const folder = resultFolder(cache, component, key);
  const text = await readFile(join(folder, 'result.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : { folder, ...(JSON.parse(text) as Omit<BuiltComponent, 'folder'>) };
}

/** The components that are not built yet. */
export async function notBuilt(
  components: readonly Component[],
  toolchain: Toolchain,
  cache: string = cacheFolder(),
): Promise<Component[]> {
  const built = await Promise.all(components.map((component) => findBuilt(component, toolchain, cache)));
  return components.filter((_, index) => !built[index]);
}

/** Builds a component unless it is already built; waits while another process builds it. */
export async function buildComponent(component: Component, options: Options = {}): Promise<BuiltComponent> {
  const { cache = cacheFolder(), onProgress = () => undefined } = options;
  const tell = (doing: Progress['doing'], part: number, more: Partial<Progress> = {}) =>
    onProgress({ component: component.name, doing, part, ...more });
  const toolchain = options.toolchain ?? (await findToolchain(cache, (detail) => tell('downloading', 0, { detail })));
  const key = buildKey(component, toolchain);
  const folder = resultFolder(cache, component, key);
  await mkdir(dirname(folder), { recursive: true });
  return exclusively(
    `${folder}.lock`,
    () => tell('waiting', 0),
    async () => {
      const built = await findBuilt(component, toolchain, cache);
      if (built) {
        tell('done', 1);
        return built;
      }
      await assertSpace(1, cache);
      await removeUnfinished(folder);
      // The name is unique per process: a leftover child of a killed build must not write into this folder.
      const building = `${folder}.building-${process.pid}`;
      const caches = { ...goCaches(cache), ...(options.modules && { modules: options.modules }) };
      await mkdir(dirname(caches.modules), { recursive: true });
      try {
        const result = await sharing(goCachesLock(caches), () =>
          buildInto(building, component, { caches, toolchain, tell, signal: options.signal }),
        );
        await writeFile(join(building, 'result.json'), JSON.stringify({ key, ...result }, null, 2), { flush: true });
        await rename(building, folder);
        tell('done', 1);
        return { folder, key, ...result };
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        throw new ProblemError(problem('NOVA8202', { component: component.name, reason: lastLines(error.stderr) }));
      } finally {
        await removeTree(building);
      }
    },
  );
}

interface TurnOptions {
  toolchain: Toolchain;
  signal?: AbortSignal;
  onStart: (component: Component) => void;
  /** Also reports the previous component while it is being linked and packed. */
  onProgress: (progress: Progress) => void;
  onBuilt: (component: Component, built: BuiltComponent) => void;
}

/**
 * Builds components in turn and downloads the modules of the next ones meanwhile. Linking and packing keep only one CPU
 * busy, so the next component is compiled at the same time. Stops at the first failure; finished builds stay.
 */
export async function buildInTurn(components: readonly Component[], options: TurnOptions): Promise<void> {
  const { toolchain, onStart, onProgress, onBuilt } = options;
  if (components.length === 0) return;
  await assertSpace(components.length);
  await using _modules = fetchModules(components.slice(1), toolchain);
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])]);
  const builds: Promise<void>[] = [];
  try {
    for (const component of components) {
      signal.throwIfAborted();
      const { promise: compiled, resolve } = Promise.withResolvers<void>();
      onStart(component);
      const built = buildComponent(component, {
        toolchain,
        signal,
        onProgress: (progress) => {
          onProgress(progress);
          if (progress.part >= compiledPart) resolve();
        },
      }).then((result) => onBuilt(component, result));
      const previous = builds.at(-1);
      builds.push(built);
      await Promise.all([previous, Promise.race([compiled, built])]);
    }
    await builds.at(-1);
  } catch (error) {
    failed.abort();
    throw error;
  } finally {
    await Promise.allSettled(builds);
  }
}

/**
 * Downloads the modules of components while others are built: downloads need the network, builds need CPUs. Disposal
 * stops it. Errors are ignored here: the build retries the download and reports the problem.
 */
export function fetchModules(
  components: readonly Component[],
  toolchain: Toolchain,
  cache: string = cacheFolder(),
): AsyncDisposable {
  const caches = goCaches(cache);
  const end = new AbortController();
  const { signal } = end;
  const fetchAll = async () => {
    for (const component of components) {
      const packages = component.programs.map((program) => program.package);
      const source = await sourceFolder(component, { toolchain, caches }, signal);
      await runGo({ toolchain, caches }, source, ['list', '-deps', ...packages], { signal });
    }
  };
  const fetched = mkdir(dirname(caches.modules), { recursive: true })
    .then(() => sharing(goCachesLock(caches), fetchAll))
    .catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      end.abort();
      await fetched;
    },
  };
}

/** Removes leftovers of killed builds. The caller holds the build lock. */
async function removeUnfinished(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.building`;
  const names = (await readdir(dirname(folder))).filter((name) => name.startsWith(prefix));
  for (const name of names) await removeTree(join(dirname(folder), name));
}

interface Work extends GoSetup {
  source: string;
  signal: AbortSignal | undefined;
  tell: (doing: Progress['doing'], part: number, more?: Partial<Progress>) => void;
}

async function buildInto(
  building: string,
  component: Component,
  setup: Omit<Work, 'source'>,
): Promise<Omit<BuiltComponent, 'folder' | 'key'>> {
  const started = performance.now();
  const work = { ...setup, source: await sourceFolder(component, setup, setup.signal) };
  const bin = join(building, 'bin');
  await mkdir(bin, { recursive: true });
  const { length } = component.programs;
  for (const [index, program] of component.programs.entries()) {
    await compile(component, program, bin, {
      ...work,
      tell: (doing, part, more) => work.tell(doing, (compiledPart * (index + part)) / length, more),
    });
  }

  work.tell('packing', 0.95);
  const modules = await modulesIn(component, bin, work);
  await writeBillOfMaterials(join(building, 'sbom.cdx.json'), component, modules);
  const licences = join(building, 'licences');
  const withoutLicence = await collectLicences(licences, modules, work.caches.modules);
  await run('chmod', ['-R', 'u+w', licences]);
  await copyFiles(component, join(building, 'files'), work);
  const images = await writeImages(building, component, work.toolchain.architecture);
  return {
    seconds: Math.round((performance.now() - started) / 1000),
    programs: await programsIn(bin, component),
    images,
    withoutLicence,
  };
}

async function compile(
  component: Component,
  { name, package: path, stamps, links }: Program,
  bin: string,
  work: Work,
): Promise<void> {
  const { tell, signal } = work;
  const go = (args: string[], onLine: (line: string) => void) =>
    runGo(work, work.source, args, { onLine, ...(signal && { signal }) });
  const packages = (
    await go(['list', '-deps', path], (line) => {
      const detail = downloadIn(line);
      if (detail) tell('downloading', 0, { detail });
    })
  )
    .trim()
    .split('\n');

  const started = performance.now();
  const total = packages.length;
  let compiled = 0;
  const flags = [
    '-s',
    '-w',
    ...Object.entries(stamps).map(([variable, value]) => `-X=${variable}=${filled(value, component)}`),
  ];
  // The linker strips debug information (`-w`), so the compiler need not write it.
  const compile = ['-v', '-trimpath', '-gcflags=all=-dwarf=false'];
  await go(['build', ...compile, `-ldflags=${flags.join(' ')}`, '-o', join(bin, name), path], (detail) => {
    compiled += 1;
    const part = Math.min(1, compiled / total);
    // An estimate needs some progress first.
    const elapsed = (performance.now() - started) / 1000;
    const seconds = part > 0.1 ? { seconds: Math.round((elapsed / part) * (1 - part) + 10) } : {};
    // Go always compiles the main package last. The duration of linking is unknown.
    if (detail === packages.at(-1)) tell('linking', 1, { detail });
    else tell('compiling', part, { detail, ...seconds });
  });
  for (const each of links) await link(join(bin, name), join(bin, each));
}

function filled(text: string, { version }: Component): string {
  const [major = '', minor = ''] = version.split('.');
  return text.replaceAll('{version}', version).replaceAll('{major}', major).replaceAll('{minor}', minor);
}

async function modulesIn(component: Component, bin: string, { toolchain }: Work): Promise<Module[]> {
  const lists = await Promise.all(component.programs.map(({ name }) => modulesOf(toolchain, join(bin, name))));
  const known = new Map(lists.flat().map((module) => [`${module.path}@${module.version}`, module]));
  return [...known.values()].sort((a, b) => a.path.localeCompare(b.path));
}

/** Copies files such as CRDs from the pinned module. */
async function copyFiles(component: Component, target: string, work: Work): Promise<void> {
  if (component.module === undefined || component.files.length === 0) return;
  const folder = (await runGo(work, work.source, ['list', '-m', '-f', '{{.Dir}}', component.module])).trim();
  for (const { from, to } of component.files) {
    await mkdir(dirname(join(target, to)), { recursive: true });
    await cp(join(folder, from), join(target, to), { recursive: true });
  }
  await run('chmod', ['-R', 'u+w', target]);
}

async function programsIn(bin: string, { programs }: Component): Promise<BuiltProgram[]> {
  return Promise.all(
    programs.map(async ({ name }) => ({
      name,
      bytes: (await stat(join(bin, name))).size,
      sha256: await checksumOf(join(bin, name)),
    })),
  );
}

export async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/**
 * Fails before the first build if the disk has too little space for this many components. Most of the space is for Go's
 * caches.
 */
export async function assertSpace(components: number, cache: string = cacheFolder()): Promise<void> {
  await mkdir(cache, { recursive: true });
  const { bavail, bsize } = await statfs(cache);
  const free = (bavail * bsize) / 1024 ** 3;
  // Building all 16 components takes 21 GiB.
  const needed = 5 + components;
  if (free >= needed) return;
  throw new ProblemError(problem('NOVA7003', { folder: cache, free: free.toFixed(1), needed: needed.toFixed(1) }));
}

/**
 * Go's caches are many times larger than the results, so they are removed once every component of clusters is built.
 */
export async function emptyGoCachesWhenBuilt(toolchain: Toolchain, cache: string = cacheFolder()): Promise<void> {
  const needed = (await readComponents()).filter(({ purpose }) => purpose === 'cluster');
  if ((await notBuilt(needed, toolchain, cache)).length === 0) await emptyGoCaches(cache);
}

/** Does nothing while a build uses the caches. */
export async function emptyGoCaches(cache: string = cacheFolder()): Promise<void> {
  const caches = goCaches(cache);
  const folders = [caches.modules, caches.builds, caches.sources].filter((folder) => existsSync(folder));
  if (folders.length === 0) return;
  await unlessLocked(goCachesLock(caches), async () => {
    for (const folder of folders) await removeTree(folder);
  });
}

/** Removes results of pins that are no longer in use. */
export async function pruneComponents(toolchain: Toolchain, cache: string = cacheFolder()): Promise<string[]> {
  const components = await readComponents(distroFolder());
  const wanted = components.map((each) => resultFolder(cache, each, buildKey(each, toolchain)));
  const folder = join(cache, 'components');
  const stray = (await readdir(folder).catch(() => [])).filter(
    // A running build owns these.
    (name) => !/\.(lock|building-\d+)$/.test(name) && !wanted.includes(join(folder, name)),
  );
  for (const name of stray) await rm(join(folder, name), { recursive: true, force: true });
  return stray;
}

export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-5).join(' ');
}
