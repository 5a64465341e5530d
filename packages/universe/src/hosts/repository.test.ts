import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostRepository } from './repository.ts';

let folder: string;
let repository: HostRepository;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-hosts-'));
  repository = new HostRepository(folder);
});
afterEach(() => rm(folder, { recursive: true }));

const whole = {
  'key.asc': 'key',
  programs: '',
  'debian/bookworm/Packages': '',
  'debian/bookworm/InRelease': '',
  'debian/trixie/Packages': '',
  'debian/trixie/InRelease': 'signed',
};

function archiveOf(files: Record<string, string>) {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  return Readable.from(archive);
}

const contentOf = async (path: string) => {
  const file = await repository.open(path);
  return file && text(file.read());
};

test('a complete archive replaces the repository, and nothing of the earlier one remains', async () => {
  expect(await repository.isThere()).toBe(false);
  await repository.store(archiveOf({ ...whole, 'debian/trixie/old_1_amd64.deb': 'old' }));
  await repository.store(archiveOf(whole));
  expect(await contentOf('debian/trixie/InRelease')).toBe('signed');
  expect(await contentOf('debian/trixie/old_1_amd64.deb')).toBeUndefined();
  expect(await readdir(folder)).toHaveLength(2);
});

test.each([
  ['../../etc/passwd', 'x'],
  ['debian/trixie/run.sh', 'x'],
  ['sha256/0', 'x'],
])('an archive with %s is refused, and the repository stays', async (name, content) => {
  await repository.store(archiveOf(whole));
  await expect(repository.store(archiveOf({ ...whole, [name]: content }))).rejects.toMatchObject({
    problems: [{ code: 'NOVA8507' }],
  });
  expect(await contentOf('key.asc')).toBe('key');
  expect(await readdir(folder)).toHaveLength(2);
});

test('an incomplete archive is refused', async () => {
  const { 'debian/trixie/InRelease': _missing, ...rest } = whole;
  await expect(repository.store(archiveOf(rest))).rejects.toThrow('debian/trixie/InRelease is missing');
  expect(await repository.isThere()).toBe(false);
});

test('only paths of a repository are read', async () => {
  await repository.store(archiveOf(whole));
  for (const path of ['../current/key.asc', '.', '', 'debian', '/etc/passwd'])
    expect(await contentOf(path)).toBeUndefined();
});
