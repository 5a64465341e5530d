import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Component } from './component.ts';
import type { Toolchain } from './toolchain.ts';

/** Changes when the same pins would be built into something else. */
const recipeVersion = 1;

/** Where built components are kept; outside of any checkout. */
export function cacheFolder(): string {
  if (process.env.NOVA_CACHE) return process.env.NOVA_CACHE;
  if (process.getuid?.() === 0) return '/var/cache/nova';
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'nova');
}

/** Go's own caches: of use only while something is left to be built. */
export interface GoCaches {
  modules: string;
  builds: string;
}

export function goCaches(cache: string): GoCaches {
  return { modules: join(cache, 'go', 'mod'), builds: join(cache, 'go', 'build') };
}

/** Shared by all that read and fill the caches; had alone by whoever empties them. */
export function goCachesLock({ modules }: GoCaches): string {
  return `${modules}.lock`;
}

export function resultFolder(cache: string, component: Component, key: string): string {
  return join(cache, 'components', `${component.name}-${component.version}-${key}`);
}

/** The same pins, description and sources of ours, and the same toolchain, have the same key. */
export function buildKey({ folder }: Component, { version, architecture }: Toolchain): string {
  const inputs = [recipeVersion, version, architecture, pinOf(folder)];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 12);
}

/** Stands for everything in a component's folder. */
export function pinOf(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) hash.update(`\0${path.slice(folder.length)}\0`).update(contentOf(path));
  return hash.digest('hex');
}

/** Go writes its modules without permission to change them, folders included. */
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

/** Of a description what it says counts, not how it is written. */
function contentOf(path: string): string | Buffer {
  const content = readFileSync(path);
  return path.endsWith('.yaml') ? JSON.stringify(parse(content.toString())) : content;
}
