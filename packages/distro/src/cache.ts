import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Component } from './component.ts';
import type { Toolchain } from './toolchain.ts';

/** Increase it when the same pins would produce a different result. */
const recipeVersion = 2;

/** The folder of built components, outside of any checkout. */
export function cacheFolder(): string {
  if (process.env.NOVA_CACHE) return process.env.NOVA_CACHE;
  if (process.getuid?.() === 0) return '/var/cache/nova';
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'nova');
}

/** Go's own caches; they are needed only while components remain to be built. */
export interface GoCaches {
  modules: string;
  builds: string;
  /** Sources of components with stubs. */
  sources: string;
}

export function goCaches(cache: string): GoCaches {
  return {
    modules: join(cache, 'go', 'mod'),
    builds: join(cache, 'go', 'build'),
    sources: join(cache, 'go', 'source'),
  };
}

/** A shared lock for builds that use the caches, an exclusive lock to empty them. */
export function goCachesLock({ modules }: GoCaches): string {
  return `${modules}.lock`;
}

export function resultFolder(cache: string, component: Component, key: string): string {
  return join(cache, 'components', `${component.name}-${component.version}-${key}`);
}

/** Equal pins, descriptions, sources and toolchains have equal keys. */
export function buildKey({ folder }: Component, { version, architecture }: Toolchain): string {
  const inputs = [recipeVersion, version, architecture, pinOf(folder)];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 12);
}

/** A hash of everything in a component's folder. */
export function pinOf(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) hash.update(`\0${path.slice(folder.length)}\0`).update(contentOf(path));
  return hash.digest('hex');
}

/** Removes a folder, also a read-only one: Go write-protects the files and folders of its module cache. */
export async function removeTree(folder: string): Promise<void> {
  const makeWritable = async (path: string): Promise<void> => {
    const stat = await lstat(path).catch(() => undefined);
    if (!stat?.isDirectory()) return;
    await chmod(path, 0o700);
    await Promise.all((await readdir(path)).map((name) => makeWritable(join(path, name))));
  };
  if (process.getuid?.() !== 0) await makeWritable(folder);
  await rm(folder, { recursive: true, force: true });
}

/** YAML counts by its values, not by its formatting. */
function contentOf(path: string): string | Buffer {
  const content = readFileSync(path);
  return path.endsWith('.yaml') ? JSON.stringify(parse(content.toString())) : content;
}
