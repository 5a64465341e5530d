import { statfs } from 'node:fs/promises';
import { ProblemError, problem } from '@nova-platform/api';

const neededForLayer = 2 * 1024 ** 3;

/** Refuses a build that would fill the disk. */
export async function assertSpace(folder: string, needed: number = neededForLayer): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= needed) return;
  const gigabytes = (bytes: number) => (bytes / 1024 ** 3).toFixed(1);
  throw new ProblemError(problem('NOVA7003', { folder, free: gigabytes(free), needed: gigabytes(needed) }));
}
