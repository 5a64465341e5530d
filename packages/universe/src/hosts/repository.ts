import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { hostReleases } from '@nova-platform/catalog';
import { extract } from 'tar-stream';

/** Every path that a repository can have. */
const paths =
  /^(key\.asc|programs|sha256\/[0-9a-f]{64}|debian\/[a-z]{1,20}\/(Packages|InRelease|[a-z0-9][A-Za-z0-9.+~_-]{0,200}\.deb))$/;
const needed = [
  'key.asc',
  'programs',
  ...Object.values(hostReleases).flatMap((release) => [`debian/${release}/Packages`, `debian/${release}/InRelease`]),
];
const most = { bytes: 4 * 1024 ** 3, files: 5000 };

/** What existing hosts install: signed packages of Debian, and programs by digest. */
export class HostRepository {
  readonly #folder: string;
  #isStoring = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async isThere(): Promise<boolean> {
    return (await this.open('programs').catch(() => undefined)) !== undefined;
  }

  /** A file of the repository; undefined if there is none. */
  async open(path: string): Promise<{ bytes: number; read: () => ReadStream } | undefined> {
    if (!paths.test(path)) return undefined;
    const file = join(this.#folder, 'current', path);
    try {
      const { size: bytes } = await stat(file);
      return { bytes, read: () => createReadStream(file) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Replaces the repository by the files of an archive, once all of them have arrived. */
  async store(archive: Readable): Promise<{ files: number; bytes: number }> {
    if (this.#isStoring) throw refused('another upload runs');
    this.#isStoring = true;
    try {
      await mkdir(this.#folder, { recursive: true });
      const current = await this.#removeOld();
      const target = await mkdtemp(join(this.#folder, 'files-'));
      try {
        const stored = await unpack(archive, target);
        const link = join(this.#folder, 'new');
        await symlink(basename(target), link);
        await rename(link, join(this.#folder, 'current'));
        if (current !== undefined) await rm(join(this.#folder, current), { recursive: true });
        return stored;
      } catch (error) {
        await rm(target, { recursive: true, force: true });
        throw error instanceof ProblemError ? error : refused((error as Error).message);
      }
    } finally {
      this.#isStoring = false;
    }
  }

  /** Removes what killed uploads have left. Returns the folder that is served. */
  async #removeOld(): Promise<string | undefined> {
    const current = await readlink(join(this.#folder, 'current')).catch(() => undefined);
    for (const name of await readdir(this.#folder))
      if (name !== 'current' && name !== current) await rm(join(this.#folder, name), { recursive: true, force: true });
    return current;
  }
}

async function unpack(archive: Readable, target: string): Promise<{ files: number; bytes: number }> {
  const entries = extract();
  const paths = new Set<string>();
  let bytes = 0;
  const reading = pipeline(archive, entries);
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const { name, type, size } = entry.header;
    const path = name.replace(/^\.\//, '');
    if (type === 'directory') {
      entry.resume();
      continue;
    }
    assertExpected(path, type);
    bytes += size;
    paths.add(path);
    if (bytes > most.bytes || paths.size > most.files) throw refused('it is too large');
    await mkdir(dirname(join(target, path)), { recursive: true });
    await pipeline(entry, createWriteStream(join(target, path)));
  }
  await reading;
  const missing = needed.find((path) => !paths.has(path));
  if (missing !== undefined) throw refused(`${missing} is missing`);
  return { files: paths.size, bytes };
}

function assertExpected(path: string, type: string | null | undefined): void {
  if (type !== 'file' || !paths.test(path)) throw refused(`${path.slice(0, 100)} is not expected`);
}

const refused = (reason: string): ProblemError => new ProblemError(problem('NOVA8507', { reason }));
