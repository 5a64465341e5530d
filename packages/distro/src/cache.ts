import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, lstat, open, readdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
export const goCaches = (cache: string) => ({ modules: join(cache, 'go', 'mod'), builds: join(cache, 'go', 'build') });

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
  for (const path of paths.sort()) hash.update(`\0${path.slice(folder.length)}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

/** Does work while no other process does the same; one that died in the middle is no obstacle. */
export async function exclusively<T>(lock: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  let isTold = false;
  while (!(await acquire(lock))) {
    if (!isTold) onWait();
    isTold = true;
    await sleep(500);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function acquire(lock: string): Promise<boolean> {
  try {
    const handle = await open(lock, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    // A holder that has not written its name yet is alive.
    if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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
