import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, open, readFile, readlink, rename } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';

export interface Attributes {
  mode: number;
  uid: number;
  gid: number;
}

/** Linux follows at most this many links in one path. */
const maxLinks = 40;

/**
 * Resolves a path in a machine's root to a path on the host. Links are followed inside the root, as the machine itself
 * would. Only for a machine that does not run: a running one could replace a folder by a link in between.
 */
export async function resolveIn(root: string, path: string): Promise<string> {
  const pending = path.split('/');
  const inside: string[] = [];
  let links = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      inside.pop();
      continue;
    }
    const target = await linkTarget(join(root, ...inside, name));
    if (target === undefined) {
      inside.push(name);
      continue;
    }
    links += 1;
    if (links > maxLinks) throw new Error(`Too many symbolic links in ${path}`);
    if (isAbsolute(target)) inside.length = 0;
    pending.unshift(...target.split('/'));
  }
  return join(root, ...inside);
}

/** Writes a file to a machine's root atomically. A link in its place is replaced, not followed. */
export async function writeIn(root: string, path: string, content: string | Buffer, to: Attributes): Promise<void> {
  const folder = await resolveIn(root, dirname(path));
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const target = join(folder, basename(path));
  const temporary = `${target}.${randomUUID()}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.chown(to.uid, to.gid);
    // After chown, which clears the set-user-ID bit.
    await handle.chmod(to.mode);
  } finally {
    await handle.close();
  }
  await rename(temporary, target);
}

/** Creates a folder in a machine's root and sets its owner. */
export async function makeFolderIn(root: string, path: string, { mode, uid, gid }: Attributes): Promise<void> {
  const folder = await resolveIn(root, path);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await chown(folder, uid, gid);
  await chmod(folder, mode);
}

export async function readIn(root: string, path: string): Promise<string> {
  return readFile(await resolveIn(root, path), 'utf8');
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EINVAL' || code === 'ENOENT') return undefined;
    throw error;
  }
}
