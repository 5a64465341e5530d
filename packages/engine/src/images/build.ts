import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import type { Image } from '@nova-platform/contracts/engine';
import { cacheFolder, chooseComponents, chooseToolchain, findBuilt, readComponents } from '@nova-platform/distro';
import { attempt, CommandError, exclusively, run, unlessLocked } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { readMachines } from '../machines/record.ts';
import { paths } from '../paths.ts';
import { assertComplete, readTemplate, readTemplates, templateImage } from '../storage/templates.ts';
import { sourceLine } from './apt.ts';
import { bootEnding, bootFilesOf, makeBootFiles, qcow2Bytes } from './boot-files.ts';
import { readGenerations, whileNoUpdate } from './generations.ts';
import { removeBuild } from './mounts.ts';
import { digestOf, type Generations, hypervisorName, type Recipe, recipeOf, recipes, stack, suite } from './recipes.ts';
import { packageSources, type Source } from './sources.ts';
import { assertSpace } from './space.ts';

const folder = join(paths.cache, 'images');
const statusPath = 'var/lib/dpkg/status';
const lockEnding = '.lock';
const buildingMark = '.building-';
const layerName = /^[a-z-]+-[0-9a-f]{16}$/;

export async function listImages(): Promise<Image[]> {
  const generations = await readGenerations();
  const templates = (await readTemplates()).map(templateImage);
  return [...(await Promise.all(recipes.map((recipe) => described(recipe, generations)))), ...templates];
}

async function described(recipe: Recipe, generations: Generations): Promise<Image> {
  const layers = layersOf(recipe, generations);
  const { name, kind = 'container' } = recipe;
  const disk = kind === 'vm' ? bootFilesOf(layers[0] ?? '').disk : undefined;
  const isBuilt = [...layers, ...(disk ? [disk] : [])].every((each) => existsSync(each));
  const oldest = isBuilt && layers.flatMap(packageTime).sort()[0];
  const digest = digestOf(recipe, generations);
  return {
    name,
    digest,
    kind,
    layers,
    isBuilt,
    isTemplate: false,
    ...(oldest && { packagesFrom: oldest }),
    ...(disk && isBuilt && { diskMebibytes: Math.ceil((await qcow2Bytes(disk)) / 1024 ** 2) }),
  };
}

/** Folders of all complete layers. */
export async function builtLayers(): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => layerName.test(name)).map((name) => join(folder, name));
}

/**
 * The dpkg status file of a layer, which includes the layers below; undefined for a layer without packages of its own.
 */
export function packageStatus(layer: string): string | undefined {
  const path = join(layer, statusPath);
  return existsSync(path) ? path : undefined;
}

function packageTime(layer: string): string[] {
  const status = packageStatus(layer);
  return status === undefined ? [] : [statSync(status).mtime.toISOString()];
}

export async function imageOf(name: string): Promise<Image> {
  const template = await readTemplate(name);
  if (template) {
    assertComplete(template);
    return templateImage(template);
  }
  const recipe = recipeOf(name);
  if (!recipe) {
    const known = [...recipes, ...(await readTemplates())].map((each) => each.name).join(', ');
    throw new ProblemError(problem('NOVA7001', { image: name, known }));
  }
  // Not the whole list: the digest of an image with our own code is of all its files.
  const image = await described(recipe, await readGenerations());
  if (!image.isBuilt) throw new ProblemError(problem('NOVA7002', { image: name }));
  return image;
}

/** Builds the missing layers of an image. */
export async function buildImage(name: string, progress: (line: string) => void): Promise<Image> {
  await buildLayers(name, await readGenerations(), progress);
  return imageOf(name);
}

export async function buildLayers(
  name: string,
  generations: Generations,
  progress: (line: string) => void,
): Promise<void> {
  const recipe = recipeOf(name);
  if (!recipe)
    throw new ProblemError(problem('NOVA7001', { image: name, known: recipes.map((each) => each.name).join(', ') }));
  await mkdir(folder, { recursive: true });
  for (const each of stack(recipe)) {
    const layer = layerOf(each, generations);
    if (existsSync(layer)) continue;
    const onWait = () => progress(`waiting for another build of ${each.name}`);
    await exclusively(lockOf(layer), onWait, async () => {
      if (existsSync(layer)) return;
      await assertSpace(folder);
      progress(`building ${each.name}`);
      await buildLayer(each, generations, progress);
    });
  }
  if (recipe.kind === 'vm') await buildBootFiles(recipe, generations, progress);
}

/** Makes what VMs boot from, with the tools of the hypervisor that also runs them. */
async function buildBootFiles(
  recipe: Recipe,
  generations: Generations,
  progress: (line: string) => void,
): Promise<void> {
  await buildLayers(hypervisorName, generations, progress);
  const layers = layersOf(recipe, generations);
  const layer = layers[0] ?? '';
  const hypervisor = recipeOf(hypervisorName);
  const onWait = () => progress(`waiting for another build of ${recipe.name}`);
  await exclusively(lockOf(layer), onWait, async () => {
    if (!hypervisor || existsSync(bootFilesOf(layer).disk)) return;
    progress(`making the disk of ${recipe.name}`);
    const building = await newBuild(`${layer}${bootEnding}`);
    try {
      await makeBootFiles(building, layers, layersOf(hypervisor, generations));
    } catch (error) {
      throw buildFailure(recipe, error);
    } finally {
      await removeBuild(building);
    }
  });
}

/** Removes layers that no recipe describes and no machine or template uses, and leftovers of killed builds. */
export async function pruneImages(): Promise<string[]> {
  return whileNoUpdate(pruneLayers);
}

async function pruneLayers(): Promise<string[]> {
  const generations = await readGenerations();
  const wanted = new Set(recipes.map((recipe) => basename(layerOf(recipe, generations))));
  const mounts = await readFile('/proc/mounts', 'utf8');
  const machines = (await readMachines()).flatMap(({ image, vm }) => [...image.layers, ...(vm?.hypervisor ?? [])]);
  const templates = (await readTemplates()).flatMap((each) => each.layers);
  const layers = new Set([...machines, ...templates]);
  const isUsed = (layer: string) => mounts.includes(layer) || layers.has(layer);
  /** Boot files have the life of their layer. */
  const layerIn = (name: string) => name.split(buildingMark)[0]?.replace(bootEnding, '') ?? '';
  // Mounts below an unfinished layer belong to the killed build.
  const isUnfinished = (name: string) => name.includes(buildingMark);
  const stray = (await readdir(folder).catch((): string[] => [])).filter((name) => {
    const layer = layerIn(name);
    return layerName.test(layer) && (isUnfinished(name) || (!wanted.has(layer) && !isUsed(join(folder, layer))));
  });
  const removed: string[] = [];
  for (const name of stray) {
    const layer = layerIn(name);
    // Do not remove a layer that is being built.
    await unlessLocked(lockOf(join(folder, layer)), async () => {
      await removeBuild(join(folder, name));
      if (!wanted.has(layer)) await rm(lockOf(join(folder, layer)), { force: true });
      removed.push(name);
    });
  }
  return removed;
}

function lockOf(layer: string): string {
  return `${layer}${lockEnding}`;
}

function layerOf(recipe: Recipe, generations: Generations): string {
  return join(folder, `${recipe.name}-${digestOf(recipe, generations)}`);
}

/** Returns the topmost layer first. */
function layersOf(recipe: Recipe, generations: Generations): string[] {
  return stack(recipe)
    .map((each) => layerOf(each, generations))
    .reverse();
}

/** Builds a layer beside its final path and renames it when it is complete, so an unfinished layer is never used. */
async function buildLayer(recipe: Recipe, generations: Generations, progress: (line: string) => void): Promise<void> {
  const layer = layerOf(recipe, generations);
  const sources = recipe.packages.length > 0 ? await currentSources(progress) : [];
  const building = await newBuild(layer);
  try {
    const root = join(building, 'root');
    const below = recipe.on === undefined ? undefined : recipeOf(recipe.on);
    if (!below) await bootstrap(root, recipe.packages, sources, progress);
    else if (recipe.packages.length > 0)
      await installOn(building, layersOf(below, generations), recipe.packages, sources, progress);
    const top = recipe.on === undefined ? root : join(building, 'upper');
    const { disabled = [], components = [], trees = [], programs = [] } = recipe;
    for (const unit of disabled)
      await rm(join(top, 'etc/systemd/system/multi-user.target.wants', unit), { force: true });
    for (const file of recipe.files) await addFile(top, file);
    for (const component of components) await addComponent(top, component, progress);
    for (const { from, to } of trees) await copyInto(join(top, to), ['-rT', from()]);
    for (const { from, to } of programs) await copyInto(join(top, to), [from()]);
    faultPoint('image.built');
    // A copied file may have changed meanwhile, and with it the digest.
    if (layerOf(recipe, generations) !== layer) throw new ProblemError(problem('NOVA7044', { image: recipe.name }));
    await rename(top, layer);
  } catch (error) {
    throw buildFailure(recipe, error);
  } finally {
    await removeBuild(building);
  }
}

/** A folder for the build of this path, without what a killed build left. */
async function newBuild(path: string): Promise<string> {
  for (const name of await readdir(folder))
    if (name.startsWith(`${basename(path)}${buildingMark}`)) await removeBuild(join(folder, name));
  // The name is unique per build: a leftover child of a killed build must not write into this folder.
  const building = await mkdtemp(`${path}${buildingMark}`);
  await chmod(building, 0o755);
  return building;
}

function buildFailure(recipe: Recipe, error: unknown): unknown {
  if (!(error instanceof CommandError)) return error;
  return new ProblemError(problem('NOVA7004', { image: recipe.name, reason: lastLines(error.stderr) }));
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

/** Adds programs as hard links: they share their space with the cache of components and with other images. */
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

/** The sources of Debian with security updates. */
async function currentSources(progress: (line: string) => void): Promise<Source[]> {
  const { present, missing } = await packageSources(suite);
  for (const each of missing) progress(`the mirror has no ${each}: its packages are left out`);
  return present;
}

async function bootstrap(
  root: string,
  packages: readonly string[],
  sources: readonly Source[],
  progress: (line: string) => void,
): Promise<void> {
  const include = `--include=${packages.join(',')}`;
  await run('mmdebstrap', ['--variant=minbase', include, suite, root, ...sources.map(sourceLine)], {
    onLine: (line) => line.startsWith('I:') && progress(line.slice(3)),
  });
  await clean(root, root);
}

/** Installs packages on top of another image; the changes are the new layer. */
async function installOn(
  building: string,
  lower: readonly string[],
  packages: readonly string[],
  sources: readonly Source[],
  progress: (line: string) => void,
): Promise<void> {
  const root = join(building, 'root');
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
    await writeFile(join(root, 'etc/apt/sources.list'), `${sources.map(sourceLine).join('\n')}\n`);
    await writeFile(join(root, 'etc/resolv.conf'), await readFile('/etc/resolv.conf'));
    await writeFile(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-y'];
    progress('reading package lists');
    await run('chroot', [root, ...apt, 'update']);
    await run('chroot', [root, ...apt, 'install', '--no-install-recommends', ...packages], {
      onLine: (line) => line.startsWith('Setting up') && progress(line.replace(/ \(.*/, '').toLowerCase()),
    });
    await clean(root, upper);
  } finally {
    await run('umount', [join(root, 'proc')]);
    await run('umount', [root]);
  }
}

/** Removes keys, identities and network settings: each machine gets its own. */
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

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' ');
}
