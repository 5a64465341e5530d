import { mkdir, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolderIn, resolveIn, writeIn } from './root-files.ts';

let folder: string;
let root: string;
const own = { mode: 0o640, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-root-'));
  root = join(folder, 'root');
  await mkdir(join(root, 'etc'), { recursive: true });
  await mkdir(join(folder, 'host'));
});

afterEach(() => rm(folder, { recursive: true }));

test.for<[what: string, target: string]>([
  ['an absolute link', '/host'],
  ['a link with too many ".."', '../../../../../host'],
  ['a link to the folder beside the root', '../host'],
])('%s stays inside the root', async ([, target]) => {
  await symlink(target, join(root, 'out'));
  expect(await resolveIn(root, '/out/file')).toBe(join(root, 'host/file'));
  await writeIn(root, '/out/file', 'content', own);
  expect(await readFile(join(root, 'host/file'), 'utf8')).toBe('content');
  await makeFolderIn(root, '/out/folder', own);
  expect(await stat(join(folder, 'host/folder')).catch(() => 'none')).toBe('none');
});

test('a link in place of a file is replaced, not followed', async () => {
  await symlink(join(folder, 'host/passwd'), join(root, 'etc/hostname'));
  await writeIn(root, '/etc/hostname', 'm1\n', own);
  expect(await readFile(join(root, 'etc/hostname'), 'utf8')).toBe('m1\n');
  expect(await stat(join(folder, 'host/passwd')).catch(() => 'none')).toBe('none');
});

test('circular links are an error', async () => {
  await symlink('b', join(root, 'a'));
  await symlink('a', join(root, 'b'));
  await expect(resolveIn(root, '/a/file')).rejects.toThrow('Too many symbolic links in /a/file');
});

test('a file has the given permissions with any umask', async () => {
  await writeIn(root, '/etc/program', '', { ...own, mode: 0o4755 });
  expect((await stat(join(root, 'etc/program'))).mode & 0o7777).toBe(0o4755);
});
