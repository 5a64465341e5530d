import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const memory = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

/**
 * Tests keep their files in memory, if there is enough: databases wait for the disk at every commit. Processes of these
 * tests share a cache of compiled code.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  await removeLeftovers();
  if (process.env.TMPDIR || (await freeBytes()) < neededBytes) return undefined;
  const folder = await mkdtemp(join(memory, `nova-${process.pid}-`));
  // Like /tmp: the tests' database servers run as another user.
  await chmod(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled');
  // Ending processes still write to the cache.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}

/** Folders of runs that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(memory).catch((): string[] => [])) {
    const [, pid] = /^nova-(\d+)-/.exec(name) ?? [];
    if (pid && !existsSync(`/proc/${pid}`)) await rm(join(memory, name), { recursive: true, force: true });
  }
}

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize;
}
