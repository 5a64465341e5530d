import { readFile, rm } from 'node:fs/promises';
import { attempt, run } from '@nova-platform/process';

/** Mounts layers, the topmost first, as one read-only tree. */
export async function mountTree(layers: readonly string[], place: string): Promise<void> {
  await run('mount', ['-t', 'overlay', 'nova-image', '-o', `ro,lowerdir=${layers.join(':')}`, place]);
}

/** Removes a folder of a build with everything that is mounted in it. */
export async function removeBuild(path: string): Promise<void> {
  for (const place of await mountsBelow(path)) await attempt('umount', [place]);
  await rm(path, { recursive: true, force: true });
}

/** Mount points below a folder, the deepest first: a killed bootstrap leaves mounts in its root. */
async function mountsBelow(folder: string): Promise<string[]> {
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
  return mounts.filter((place) => place.startsWith(`${folder}/`)).toReversed();
}
