import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface StorageSize {
  blobs: number;
  bytes: number;
}

/** What CNCF Distribution keeps: a folder for every blob, its content in `data`. */
export async function sizeOf(storage: string): Promise<StorageSize> {
  const root = join(storage, 'docker', 'registry', 'v2', 'blobs');
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && entry.name === 'data');
  let bytes = 0;
  for (const file of files) bytes += (await stat(join(file.parentPath, file.name)).catch(() => undefined))?.size ?? 0;
  return { blobs: files.length, bytes };
}
