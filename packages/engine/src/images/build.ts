import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import {
  cacheFolder,
  chooseComponents,
  chooseToolchain,
  exclusively,
  findBuilt,
  readComponents,
  unlessHeld,
} from '@nova-platform/distro';
import { attempt, CommandError, run } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { readMachines } from '../machines/record.ts';
import { paths } from '../paths.ts';
import { digestOf, type Recipe, recipeOf, recipes, stack, suite } from './recipes.ts';

export interface Image {
  name: string;
  digest: string;
  /** Folders of its file system, the topmost first. */
  layers: string[];
  isBuilt: boolean;
}

const folder = join(paths.cache, 'images');
const neededBytes = 2 * 1024 ** 3;
const lockEnding = '.lock';
const buildingMark = '.building-';

export async function listImages(): Promise<Image[]> {
  const present = new Set(await readdir(folder).catch(() => []));
  return recipes.map((recipe) => ({
    name: recipe.name,
    digest: digestOf(recipe),
    layers: stack(recipe)
      .map((each) => layerOf(each))
      .reverse(),
    isBuilt: stack(recipe).every((each) => present.has(`${each.name}-${digestOf(each)}`)),
  }));
}

export async function imageOf(name: string): Promise<Image> {
  const image = (await listImages()).find((each) => each.name === name);
  if (!image)
    throw new ProblemError(
      problem('NOVA7001', { image: name, known: recipes.map((recipe) => recipe.name).join(', ') }),
    );
  if (!image.isBuilt) throw new ProblemError(problem('NOVA7002', { image: name }));
  return image;
}

/** Builds an image and what it stands on; what is there already is not built again. */
export async function buildImage(name: string, progress: (line: string) => void): Promise<Image> {
  const recipe = recipeOf(name);
  if (!recipe)
    throw new ProblemError(problem('NOVA7001', { image: name, known: recipes.map((each) => each.name).join(', ') }));
  await mkdir(folder, { recursive: true });
  for (const each of stack(recipe)) {
    const layer = layerOf(each);
    if (existsSync(layer)) continue;
    const onWait = () => progress(`waiting for another build of ${each.name}`);
    await exclusively(lockOf(layer), onWait, async () => {
      if (existsSync(layer)) return;
      await demandSpace();
      progress(`building ${each.name}`);
      await buildLayer(each, progress);
    });
  }
  return imageOf(name);
}

/** Removes images no recipe describes any more and no machine stands on, and what builds left that were killed. */
export async function pruneImages(): Promise<string[]> {
  const wanted = new Set(recipes.map((recipe) => `${recipe.name}-${digestOf(recipe)}`));
  const mounts = await readFile('/proc/mounts', 'utf8');
  const layers = new Set((await readMachines()).flatMap(({ image }) => image.layers));
  const isUsed = (layer: string) => mounts.includes(layer) || layers.has(layer);
  const stray = (await readdir(folder).catch((): string[] => [])).filter(
    (name) => !wanted.has(name) && !name.endsWith(lockEnding) && !isUsed(join(folder, name)),
  );
  const removed: string[] = [];
  for (const name of stray) {
    const [layer = name] = name.split(buildingMark);
    // What is being built is nobody's to remove.
    await unlessHeld(lockOf(join(folder, layer)), async () => {
      await removeLayer(join(folder, name));
      if (!wanted.has(layer)) await rm(lockOf(join(folder, layer)));
      removed.push(name);
    });
  }
  return removed;
}

function lockOf(layer: string): string {
  return `${layer}${lockEnding}`;
}

function layerOf(recipe: Recipe): string {
  return join(folder, `${recipe.name}-${digestOf(recipe)}`);
}

async function demandSpace(): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < neededBytes) {
    const gigabytes = (bytes: number) => (bytes / 1024 ** 3).toFixed(1);
    throw new ProblemError(problem('NOVA7003', { folder, free: gigabytes(free), needed: gigabytes(neededBytes) }));
  }
}

/** A layer is made beside its place and moved there when it is whole: a half-finished one never counts. */
async function buildLayer(recipe: Recipe, progress: (line: string) => void): Promise<void> {
  const layer = layerOf(recipe);
  for (const name of await readdir(folder))
    if (name.startsWith(`${basename(layer)}${buildingMark}`)) await removeLayer(join(folder, name));
  // Never the same twice: what a killed build still runs must not write into this one.
  const building = await mkdtemp(`${layer}${buildingMark}`);
  await chmod(building, 0o755);
  try {
    const root = join(building, 'root');
    if (recipe.on === undefined) await bootstrap(root, recipe.packages, progress);
    else if (recipe.packages.length > 0) await installOn(building, root, recipe, progress);
    const top = recipe.on === undefined ? root : join(building, 'upper');
    const { components = [], trees = [], programs = [] } = recipe;
    for (const file of recipe.files) await addFile(top, file);
    for (const component of components) await addComponent(top, component, progress);
    for (const { from, to } of trees) await copyInto(join(top, to), ['-rT', from()]);
    for (const { from, to } of programs) await copyInto(join(top, to), [from()]);
    faultPoint('image.built');
    // What was copied may have changed meanwhile, and then has another digest.
    if (layerOf(recipe) !== layer) throw new ProblemError(problem('NOVA7044', { image: recipe.name }));
    await rename(top, layer);
  } catch (error) {
    if (error instanceof CommandError)
      throw new ProblemError(problem('NOVA7004', { image: recipe.name, reason: lastLines(error.stderr) }));
    throw error;
  } finally {
    await removeLayer(building);
  }
}

async function addFile(top: string, { path, mode, content }: Recipe['files'][number]): Promise<void> {
  let text = content;
  if (content.includes('{'))
    for (const { name, version } of await readComponents()) text = text.replaceAll(`{${name}}`, version);
  await mkdir(dirname(join(top, path)), { recursive: true });
  await writeFile(join(top, path), text, { mode });
}

async function copyInto(target: string, args: readonly string[]): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await run('cp', ['--preserve=mode', ...args, target]);
}

/** Hard links: the same program in the cache of components and in any number of images takes its place once. */
async function addComponent(top: string, name: string, progress: (line: string) => void): Promise<void> {
  const [component] = chooseComponents(await readComponents(), [name]);
  const toolchain = await chooseToolchain(cacheFolder());
  const built = component && (await findBuilt(component, toolchain));
  if (!built) throw new ProblemError(problem('NOVA8214', { component: name }));
  progress(`adding ${name} ${component.version}`);
  const target = join(top, 'opt', 'nova', name, component.version);
  await mkdir(target, { recursive: true });
  await run('cp', ['-a', '--link', join(built.folder, 'bin'), target]);
}

async function bootstrap(root: string, packages: readonly string[], progress: (line: string) => void): Promise<void> {
  const mirror = await hostMirror();
  await run(
    'mmdebstrap',
    ['--variant=minbase', `--include=${packages.join(',')}`, suite, root, ...(mirror ? [mirror] : [])],
    {
      onLine: (line) => line.startsWith('I:') && progress(line.slice(3)),
    },
  );
  await clean(root, root);
}

/** Packages on top of another image: what changes is the layer. */
async function installOn(
  building: string,
  root: string,
  recipe: Recipe,
  progress: (line: string) => void,
): Promise<void> {
  const below = recipe.on === undefined ? undefined : recipeOf(recipe.on);
  const lower = below ? stack(below).map(layerOf).reverse() : [];
  const upper = join(building, 'upper');
  for (const name of [root, upper, join(building, 'work')]) await mkdir(name, { recursive: true });
  await run('mount', [
    '-t',
    'overlay',
    'nova-build',
    '-o',
    `lowerdir=${lower.join(':')},upperdir=${upper},workdir=${join(building, 'work')}`,
    root,
  ]);
  await run('mount', ['-t', 'proc', 'nova-build', join(root, 'proc')]);
  try {
    const mirror = (await hostMirror()) ?? '';
    await writeFile(join(root, 'etc/apt/sources.list'), `deb ${mirror} ${suite} main\n`);
    await writeFile(join(root, 'etc/resolv.conf'), await readFile('/etc/resolv.conf'));
    await writeFile(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-y'];
    progress('reading package lists');
    await run('chroot', [root, ...apt, 'update']);
    await run('chroot', [root, ...apt, 'install', '--no-install-recommends', ...recipe.packages], {
      onLine: (line) => line.startsWith('Setting up') && progress(line.replace(/ \(.*/, '').toLowerCase()),
    });
    await clean(root, upper);
  } finally {
    await run('umount', [join(root, 'proc')]);
    await run('umount', [root]);
  }
}

/** No keys, no identity, no way out: a machine gets its own. */
async function clean(root: string, top: string): Promise<void> {
  await attempt('chroot', [root, 'apt-get', 'clean']);
  await attempt('sh', [
    '-c',
    `rm -rf "$1"/var/lib/apt/lists/* "$1"/etc/ssh/ssh_host_* "$1"/var/log/*.log "$1"/tmp/*`,
    'clean',
    root,
  ]);
  for (const file of ['etc/machine-id', 'var/lib/dbus/machine-id', 'usr/sbin/policy-rc.d', 'etc/hostname'])
    await rm(join(root, file), { force: true });
  for (const file of ['etc/apt/sources.list', 'etc/resolv.conf']) await writeFile(join(root, file), '');
  await mkdir(top, { recursive: true });
}

/** Debian's mirror as this host uses it; without one the builder's own default. */
async function hostMirror(): Promise<string | undefined> {
  const texts = await Promise.all(
    ['/etc/apt/sources.list', '/etc/apt/sources.list.d/debian.sources'].map((file) =>
      readFile(file, 'utf8').catch(() => ''),
    ),
  );
  return /^(?:URIs:|deb)\s+(?:\[[^\]]*\]\s+)?(https?:\S+\/debian)\/?(?=\s|$)/m.exec(texts.join('\n'))?.[1];
}

async function removeLayer(path: string): Promise<void> {
  await attempt('umount', [join(path, 'root/proc')]);
  await attempt('umount', [join(path, 'root')]);
  await rm(path, { recursive: true, force: true });
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' ');
}
