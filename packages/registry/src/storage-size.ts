import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageSize } from '@nova-platform/contracts/registry';

/** The size of all blobs. CNCF Distribution stores each in a folder of its own, with the content in `data`. */
export async function sizeOf(storage: string): Promise<StorageSize> {
  const files = (await filesBelow(join(storage, 'docker', 'registry', 'v2', 'blobs'))).filter(
    ({ name }) => name === 'data',
  );
  return { blobs: files.length, bytes: await sum(files) };
}

/** The size of all files, including unfinished uploads. */
export async function bytesIn(storage: string): Promise<number> {
  return sum(await filesBelow(storage));
}

async function filesBelow(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile());
}

async function sum(files: readonly { parentPath: string; name: string }[]): Promise<number> {
  let bytes = 0;
  for (const { parentPath, name } of files)
    bytes += (await stat(join(parentPath, name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}
