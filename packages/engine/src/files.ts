import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes a record atomically: after a crash the file is complete, unchanged or absent. */
export async function writeRecord(path: string, record: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}.tmp`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(record, null, 2));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
}

export async function readRecord<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function removeRecord(path: string): Promise<void> {
  await rm(path, { force: true });
}

export async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch((): string[] => []);
  return entries.sort();
}

export const recordIn = (folder: string, name: string): string => join(folder, `${name}.json`);
