import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { CommandError, sharing } from '@nova-platform/process';
import { lastLines } from './build.ts';
import { cacheFolder, goCaches, goCachesLock, removeTree } from './cache.ts';
import type { Component } from './component.ts';
import { downloadIn, type GoSetup, runGo } from './go.ts';
import type { Toolchain } from './toolchain.ts';

/** A change of a linked module: another version, added (no `from`) or removed (no `to`). */
export interface ModuleChange {
  module: string;
  from?: string;
  to?: string;
}

export interface Update {
  component: string;
  module: string;
  from: string;
  to: string;
  modules: ModuleChange[];
}

interface Options {
  toolchain: Toolchain;
  cache?: string;
  onDownload?: (module: string) => void;
}

interface GoMod {
  Require?: { Path: string; Version: string; Indirect?: boolean }[] | null;
  Replace?: { Old: { Path: string; Version?: string }; New: { Path: string; Version?: string } }[] | null;
}

interface Downloaded {
  Dir: string;
  GoMod: string;
}

/** Pins another version of a component's module. */
export async function updateComponent(component: Component, version: string, options: Options): Promise<Update> {
  const { module } = component;
  if (module === undefined) throw ownProgram(component);
  const modules = await changePins(component, version, options, (copy, go) =>
    pin(component, module, version, copy, go),
  );
  return { component: component.name, module, from: component.version, to: version, modules };
}

/** Pins these versions of modules that a component requires. */
export async function raiseModules(
  component: Component,
  modules: readonly { module: string; version: string }[],
  options: Options,
): Promise<void> {
  await changePins(component, component.version, options, async (_, go) => {
    await go('mod', 'edit', ...modules.map(({ module, version }) => `-require=${module}@${version}`));
    await go('list', '-mod=mod', '-deps', ...component.programs.map((program) => program.package));
  });
}

/** Changes the pins in a copy of the component's folder. The folder itself changes only after everything has succeeded. */
async function changePins<Result>(
  component: Component,
  version: string,
  { cache = cacheFolder(), toolchain, onDownload = () => undefined }: Options,
  change: (copy: string, go: Go) => Promise<Result>,
): Promise<Result> {
  const caches = goCaches(cache);
  await mkdir(join(cache, 'go'), { recursive: true });
  const copy = await mkdtemp(join(cache, 'update-'));
  try {
    await cp(component.folder, copy, { recursive: true });
    const go: Go = (...args) =>
      runGo({ toolchain, caches } satisfies GoSetup, copy, args, {
        onLine: (line) => {
          const download = downloadIn(line);
          if (download) onDownload(download);
        },
      });
    const result = await sharing(goCachesLock(caches), () => change(copy, go));
    // Write go.sum first: with the new sums the old go.mod still builds the same or fails, but never builds something
    // else.
    for (const name of ['go.sum', 'go.mod']) {
      // Outside of the folder, because everything in the folder is part of the pin.
      const fresh = `${component.folder}.${name}.new`;
      await cp(join(copy, name), fresh);
      await rename(fresh, join(component.folder, name));
    }
    return result;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new ProblemError(
      problem('NOVA8202', { component: `${component.name} ${version}`, reason: lastLines(error.stderr) }),
    );
  } finally {
    await removeTree(copy);
  }
}

type Go = (...args: string[]) => Promise<string>;

async function pin(
  component: Component,
  module: string,
  version: string,
  copy: string,
  go: Go,
): Promise<ModuleChange[]> {
  const { Dir, GoMod } = await download(go, module, version);
  assertFiles(component, version, Dir);
  const packages = component.programs.map((program) => program.package);
  const before = await linkedModules(go, packages);

  const theirs = await readGoMod(go, GoMod);
  const theirsBefore = await readGoMod(
    go,
    (await go('list', '-m', '-f', '{{.GoMod}}', `${module}@v${component.version}`)).trim(),
  );
  const ours = await readGoMod(go, join(copy, 'go.mod'));
  await go(
    'mod',
    'edit',
    `-require=${module}@v${version}`,
    ...siblings(ours, module, component.version).map((path) => `-require=${path}@v${version}`),
    ...(module === 'k8s.io/kubernetes' ? kubernetesParts(ours, theirs, component.version, version) : []),
    ...followedReplaces(ours, theirsBefore, theirs),
  );
  await fillSums(copy, join(Dir, 'go.sum'), () => go('list', '-mod=mod', '-deps', ...packages));
  const after = await linkedModules(go, packages);
  return changesBetween(before, after, module);
}

async function download(go: Go, module: string, version: string): Promise<Downloaded> {
  try {
    return JSON.parse(await go('mod', 'download', '-json', `${module}@v${version}`)) as Downloaded;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const reason = /"Error": "(.*)"/.exec(error.stdout)?.[1] ?? lastLines(error.stderr);
    throw new ProblemError(problem('NOVA8204', { what: `${module} v${version} (${reason.split(': ').at(-1)})` }));
  }
}

/** Fails if the new version of the module lacks a file that the component copies. */
function assertFiles({ name, files }: Component, version: string, folder: string): void {
  const missing = files.filter(({ from }) => !existsSync(join(folder, from)));
  if (missing.length === 0) return;
  const reason = `no longer in the module: ${missing.map(({ from }) => from).join(', ')}`;
  throw new ProblemError(problem('NOVA8202', { component: `${name} ${version}`, reason }));
}

async function readGoMod(go: Go, file: string): Promise<GoMod> {
  return JSON.parse(await go('mod', 'edit', '-json', file)) as GoMod;
}

/** Programs of one project that are separate modules and are released together: etcd, etcdctl, etcdutl. */
export function siblings({ Require }: GoMod, module: string, version: string): string[] {
  const project = (path: string) => path.split('/').slice(0, 2).join('/');
  return (Require ?? [])
    .filter(
      ({ Path, Version, Indirect }) =>
        Path !== module && Version === `v${version}` && !Indirect && project(Path) === project(module),
    )
    .map(({ Path }) => Path);
}

/** Kubernetes requires its own modules as v0.0.0; for its version 1.36.3 they are published as v0.36.3. */
export function kubernetesParts(ours: GoMod, theirs: GoMod, from: string, to: string): string[] {
  const published = (version: string) => `v0.${version.split('.').slice(1).join('.')}`;
  const parts = (theirs.Require ?? []).filter(({ Version }) => Version === 'v0.0.0').map(({ Path }) => Path);
  const gone = (ours.Replace ?? []).filter(
    ({ Old, New }) => New.Version === published(from) && Old.Path.startsWith('k8s.io/') && !parts.includes(Old.Path),
  );
  const required = (ours.Require ?? []).filter(
    ({ Path, Version }) => parts.includes(Path) && Version === published(from),
  );
  return [
    ...gone.flatMap(({ Old }) => [`-dropreplace=${Old.Path}`, `-droprequire=${Old.Path}`]),
    ...parts.map((part) => `-replace=${part}=${part}@${published(to)}`),
    ...required.map(({ Path }) => `-require=${Path}@${published(to)}`),
  ];
}

/** Go ignores the replacements of required modules, so our go.mod repeats them. This keeps the copies up to date. */
export function followedReplaces(ours: GoMod, before: GoMod, after: GoMod): string[] {
  const text = ({ Old, New }: NonNullable<GoMod['Replace']>[number]) =>
    `${Old.Path}${Old.Version ? `@${Old.Version}` : ''}=${New.Path}@${New.Version}`;
  // A replacement by a folder works only in the module's own tree.
  const listed = ({ Replace }: GoMod) => (Replace ?? []).filter(({ New }) => New.Version);
  const [own, old, fresh] = [ours, before, after].map((each) => new Set(listed(each).map(text))) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  const gone = [...own].filter((each) => old.has(each) && !fresh.has(each));
  return [
    ...gone.map((each) => `-dropreplace=${each.split('=')[0]}`),
    ...[...fresh].filter((each) => !own.has(each) && !old.has(each)).map((each) => `-replace=${each}`),
  ];
}

/**
 * Starts from the module's own go.sum, which protects its dependencies even if the checksum database lacks them. Adds
 * the sums of the old pin only if that is not enough; otherwise they would accumulate.
 */
async function fillSums(folder: string, seed: string, fill: () => Promise<unknown>): Promise<void> {
  const file = join(folder, 'go.sum');
  const old = await readFile(file, 'utf8');
  const theirs = await readFile(seed, 'utf8').catch(() => '');
  await writeFile(file, theirs);
  try {
    await fill();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await writeFile(file, [...new Set(`${theirs}\n${old}`.split('\n'))].filter((line) => line !== '').join('\n'));
    await fill();
  }
}

/** Versions of the linked modules by path. Fails if a version is not pinned yet. */
async function linkedModules(go: Go, packages: readonly string[]): Promise<Map<string, string>> {
  const format =
    '{{with .Module}}{{if not .Main}}{{.Path}} {{with .Replace}}{{if .Version}}{{.Version}}{{else}}{{.Path}}{{end}}{{else}}{{.Version}}{{end}}{{end}}{{end}}';
  const lines = (await go('list', '-mod=readonly', '-deps', '-f', format, ...packages)).split('\n');
  return new Map(lines.filter((line) => line !== '').map((line) => line.split(' ') as [string, string]));
}

function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  module: string,
): ModuleChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter((path) => path !== module);
  return paths.sort().flatMap((path) => {
    const [from, to] = [before.get(path), after.get(path)];
    return from === to ? [] : [{ module: path, ...(from && { from }), ...(to && { to }) }];
  });
}

function ownProgram({ name }: Component): ProblemError {
  const expected = {
    en: `a component that is built from a module: ${name} is our own program; its version is in component.yaml`,
    ru: `компонент, который собирается из модуля: ${name} — наша программа, её версия указана в component.yaml`,
  };
  return new ProblemError(problem('NOVA2009', { expected }, ['NAME']));
}
