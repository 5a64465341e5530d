import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';

// Names of disks, snapshots and templates never contain a dot.
const unfinished = '.new';
const deleted = '.deleted';

/** Creates a folder with all its content or, if the engine is killed on the way, not at all. */
export async function createFolder(folder: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const building = folder + unfinished;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true, mode: 0o700 });
  try {
    await fill(building);
    // The content must be on the disk before the name: also a failure of the host leaves no half of it.
    await run('sync', ['--file-system', building]);
    faultPoint('storage.filled');
    await rename(building, folder);
    faultPoint('storage.named');
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    throw error;
  }
}

/** Creates a file that gets its name when it is complete. */
export async function createFile(file: string, fill: (file: string) => Promise<void>): Promise<void> {
  const building = file + unfinished;
  await rm(building, { force: true });
  await fill(building);
  await rename(building, file);
}

/** Creates an empty file that the user of a tool can write to. */
export async function createFileFor(uid: number, file: string): Promise<void> {
  // The folder stays closed to the host: only its path in the container is open.
  await chmod(dirname(file), 0o711);
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.chown(uid, uid);
  } finally {
    await handle.close();
  }
}

/** Renames the folder first, so that a partly deleted one is never used. */
export async function deleteFolder(folder: string): Promise<void> {
  await rm(folder + deleted, { recursive: true, force: true });
  await rename(folder, folder + deleted);
  faultPoint('storage.deleted');
  await rm(folder + deleted, { recursive: true });
}

/** Removes what a killed engine left. */
export async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch((): string[] => [])) {
    if (name.endsWith(unfinished) || name.endsWith(deleted))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Names of complete folders. */
export async function foldersIn(parent: string): Promise<string[]> {
  const names = await readdir(parent).catch((): string[] => []);
  return names.filter((name) => !name.includes('.')).sort();
}

/** What a sparse file uses on the host. */
export async function usedBytes(file: string): Promise<number> {
  return stat(file).then(
    ({ blocks }) => blocks * 512,
    () => 0,
  );
}
