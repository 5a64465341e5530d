import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { cp, link, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { CommandError, exclusively, run, sharing, unlessHeld } from '@nova-platform/process';
import { buildKey, cacheFolder, goCaches, goCachesLock, removeTree, resultFolder } from './cache.ts';
import { type Component, distroFolder, type Program, readComponents } from './component.ts';
import { downloadIn, type GoSetup, runGo } from './go.ts';
import { writeImages } from './image.ts';
import { collectLicences } from './licences.ts';
import { type Module, modulesOf, writeBillOfMaterials } from './modules.ts';
import { findToolchain, type Toolchain } from './toolchain.ts';

interface BuiltProgram {
  name: string;
  bytes: number;
  sha256: string;
}

/** What a build left: programs in `bin`, files of the module in `files`, images in `images`, licences, bill of materials. */
export interface BuiltComponent {
  folder: string;
  key: string;
  seconds: number;
  programs: BuiltProgram[];
  images: { name: string; digest: string; bytes: number }[];
  /** Linked modules that have no licence file. */
  withoutLicence: string[];
}

/** How far a build is; `part` is of the whole component. */
export interface Progress {
  component: string;
  doing: 'waiting' | 'downloading' | 'compiling' | 'linking' | 'packing' | 'done';
  part: number;
  /** What is downloaded or compiled at the moment. */
  detail?: string;
  /** Left, as far as can be told. */
  seconds?: number;
}

export const doingText: Record<Progress['doing'], Text> = {
  waiting: { en: 'another process is building it: waiting', ru: 'его собирает другой процесс: ждём' },
  downloading: { en: 'downloading', ru: 'загрузка' },
  compiling: { en: 'compiling', ru: 'компиляция' },
  linking: { en: 'linking', ru: 'компоновка' },
  packing: { en: 'making images', ru: 'создание образов' },
  done: { en: 'done', ru: 'готово' },
};

interface Options {
  cache?: string;
  /** Where modules are downloaded to, when that is another cache's. */
  modules?: string;
  toolchain?: Toolchain;
  onProgress?: (progress: Progress) => void;
}

/** The component as it was built, if it was. */
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

/** Those of components that are still to be built. */
export async function notBuilt(
  components: readonly Component[],
  toolchain: Toolchain,
  cache: string = cacheFolder(),
): Promise<Component[]> {
  const built = await Promise.all(components.map((component) => findBuilt(component, toolchain, cache)));
  return components.filter((_, index) => !built[index]);
}

/** Builds a component unless it is there; another process that builds it too is waited for. */
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
      await demandSpace(1, cache);
      await removeUnfinished(folder);
      // Never the same twice: what a killed build still runs must not write into this one.
      const building = `${folder}.building-${process.pid}`;
      const caches = { ...goCaches(cache), ...(options.modules && { modules: options.modules }) };
      await mkdir(dirname(caches.modules), { recursive: true });
      try {
        const result = await sharing(goCachesLock(caches), () =>
          buildInto(building, component, { caches, toolchain, tell }),
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

/**
 * Builds one after the other, while what the next are made from is downloaded. The first that fails ends it, and what
 * is built stays.
 */
export async function buildInTurn(
  components: readonly Component[],
  toolchain: Toolchain,
  build: (component: Component, index: number) => Promise<void>,
): Promise<void> {
  if (components.length === 0) return;
  await demandSpace(components.length);
  await using _modules = fetchModules(components.slice(1), toolchain);
  for (const [index, component] of components.entries()) await build(component, index);
}

/**
 * Downloads what components are made from while others are built: one waits for the network, the other for processors.
 * It ends when it is disposed of. What it could not get the build itself asks for again, and says what is wrong.
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
    for (const { folder, programs } of components) {
      const packages = programs.map((program) => program.package);
      await runGo({ toolchain, caches }, folder, ['list', '-deps', ...packages], { signal });
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

/** What builds left that were killed; nobody else builds it now. */
async function removeUnfinished(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.building`;
  const names = (await readdir(dirname(folder))).filter((name) => name.startsWith(prefix));
  for (const name of names) await removeTree(join(dirname(folder), name));
}

interface Work extends GoSetup {
  tell: (doing: Progress['doing'], part: number, more?: Partial<Progress>) => void;
}

async function buildInto(
  building: string,
  component: Component,
  work: Work,
): Promise<Omit<BuiltComponent, 'folder' | 'key'>> {
  const started = performance.now();
  const bin = join(building, 'bin');
  await mkdir(bin, { recursive: true });
  const { length } = component.programs;
  for (const [index, program] of component.programs.entries()) {
    await compile(component, program, bin, {
      ...work,
      tell: (doing, part, more) => work.tell(doing, (0.9 * (index + part)) / length, more),
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
  const { tell } = work;
  const go = (args: string[], onLine: (line: string) => void) => runGo(work, component.folder, args, { onLine });
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
  await go(['build', '-v', '-trimpath', `-ldflags=${flags.join(' ')}`, '-o', join(bin, name), path], (detail) => {
    compiled += 1;
    const part = Math.min(1, compiled / total);
    // Before some of it is done nobody can tell how long the rest takes.
    const elapsed = (performance.now() - started) / 1000;
    const seconds = part > 0.1 ? { seconds: Math.round((elapsed / part) * (1 - part) + 10) } : {};
    // What depends on all others is compiled last, however much was compiled before; how long linking takes nobody can tell.
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

/** CRDs and the like, as the pinned module has them. */
async function copyFiles(component: Component, target: string, work: Work): Promise<void> {
  if (component.module === undefined || component.files.length === 0) return;
  const folder = (await runGo(work, component.folder, ['list', '-m', '-f', '{{.Dir}}', component.module])).trim();
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

/** Refused before the first of so many components is built, not in their midst. Most of it is for Go's caches. */
export async function demandSpace(components: number, cache: string = cacheFolder()): Promise<void> {
  await mkdir(cache, { recursive: true });
  const { bavail, bsize } = await statfs(cache);
  const free = (bavail * bsize) / 1024 ** 3;
  // All 16 together took 21 GiB.
  const needed = 5 + components;
  if (free >= needed) return;
  throw new ProblemError(problem('NOVA7003', { folder: cache, free: free.toFixed(1), needed: needed.toFixed(1) }));
}

/** Go's caches are many times what they produce: once everything is built that clusters are made of, they go. */
export async function emptyGoCachesWhenBuilt(toolchain: Toolchain, cache: string = cacheFolder()): Promise<void> {
  const needed = (await readComponents()).filter(({ purpose }) => purpose === 'cluster');
  if ((await notBuilt(needed, toolchain, cache)).length === 0) await emptyGoCaches(cache);
}

/** Not from under others' builds. */
export async function emptyGoCaches(cache: string = cacheFolder()): Promise<void> {
  const caches = goCaches(cache);
  const folders = [caches.modules, caches.builds].filter((folder) => existsSync(folder));
  if (folders.length === 0) return;
  await unlessHeld(goCachesLock(caches), async () => {
    for (const folder of folders) await removeTree(folder);
  });
}

/** Results of pins that are no longer ours. */
export async function pruneComponents(toolchain: Toolchain, cache: string = cacheFolder()): Promise<string[]> {
  const components = await readComponents(distroFolder());
  const wanted = components.map((each) => resultFolder(cache, each, buildKey(each, toolchain)));
  const folder = join(cache, 'components');
  const stray = (await readdir(folder).catch(() => [])).filter(
    // What is being built now belongs to whoever builds it.
    (name) => !/\.(lock|building-\d+)$/.test(name) && !wanted.includes(join(folder, name)),
  );
  for (const name of stray) await rm(join(folder, name), { recursive: true, force: true });
  return stray;
}

export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-5).join(' ');
}
