import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { run } from '@nova-platform/process';
import { buildKey, removeTree } from './cache.ts';
import type { Component } from './component.ts';
import { type GoSetup, runGo } from './go.ts';

/** In a component's source: modules of which some packages are replaced by stubs. */
export const modifiedFolder = 'modified';

/**
 * The folder in which Go builds a component. Without stubs it is the component's own folder. With stubs it is a copy in
 * Go's caches, where the modules with stubbed packages are folders of their own: `replace` directives point to them by
 * relative paths, so the build stays reproducible. The modules are copied from Go's module cache, which verified them.
 */
export async function sourceFolder(component: Component, setup: GoSetup, signal?: AbortSignal): Promise<string> {
  const { folder, stubs } = component;
  if (stubs.length === 0) return folder;
  const name = `${component.name}-${buildKey(component, setup.toolchain)}`;
  const source = join(setup.caches.sources, name);
  if (existsSync(source)) return source;
  const unfinished = `${source}.unfinished-${process.pid}-${Math.random()}`;
  try {
    await cp(folder, unfinished, { recursive: true });
    const replaced = [];
    for (const module of stubs) {
      const modified = join(modifiedFolder, module);
      const download = ['mod', 'download', '-json', module];
      const { Dir } = JSON.parse(await runGo(setup, folder, download, signal && { signal })) as { Dir: string };
      await cp(Dir, join(unfinished, modified), { recursive: true });
      await run('chmod', ['-R', 'u+w', join(unfinished, modified)]);
      await replacePackages(join(folder, 'stubs', module), join(unfinished, modified));
      replaced.push(`replace ${module} => ./${modified}\n`);
    }
    await rm(join(unfinished, 'stubs'), { recursive: true });
    await appendFile(join(unfinished, 'go.mod'), `\n${replaced.join('')}`);
    // Another process may have been faster.
    await rename(unfinished, source).catch((error: unknown) => {
      if (!existsSync(source)) throw error;
    });
    return source;
  } finally {
    await removeTree(unfinished);
  }
}

/** Every package of `stubs` takes the place of the package with its path. */
async function replacePackages(stubs: string, module: string): Promise<void> {
  const files = (await readdir(stubs, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  for (const folder of new Set(files.map(({ parentPath }) => parentPath))) {
    const target = join(module, relative(stubs, folder));
    await mkdir(target, { recursive: true });
    for (const name of await readdir(target)) if (name.endsWith('.go')) await rm(join(target, name));
  }
  await cp(stubs, module, { recursive: true });
}
