import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
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

/** Parses a record again only after it was written. For records that are read several times a second. */
export class ParsedRecords<T> {
  readonly #parse: (stored: unknown) => T;
  readonly #parsed = new Map<string, { version: string; record: T }>();

  constructor(parse: (stored: unknown) => T) {
    this.#parse = parse;
  }

  /** The record is frozen, because later calls return it again. */
  async read(path: string): Promise<T | undefined> {
    const version = await versionOf(path);
    const known = this.#parsed.get(path);
    if (known && known.version === version) return known.record;
    const stored = version === undefined ? undefined : await readRecord(path);
    if (version === undefined || stored === undefined) {
      this.#parsed.delete(path);
      return undefined;
    }
    const record = frozen(this.#parse(stored));
    this.#parsed.set(path, { version, record });
    return record;
  }

  /** Reads the records that exist, and forgets all others. */
  async readAll(paths: readonly string[]): Promise<T[]> {
    const wanted = new Set(paths);
    for (const path of this.#parsed.keys()) if (!wanted.has(path)) this.#parsed.delete(path);
    const records = await Promise.all(paths.map((path) => this.read(path)));
    return records.filter((record) => record !== undefined);
  }
}

/** Changes with every write, because a write replaces the file. */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeNs } = await stat(path, { bigint: true });
    return `${ino} ${mtimeNs}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

export async function removeRecord(path: string): Promise<void> {
  await rm(path, { force: true });
}

export async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch((): string[] => []);
  return entries.sort();
}

export const recordIn = (folder: string, name: string): string => join(folder, `${name}.json`);
