import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serveRepositories } from '@nova-platform/git';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { documentsOf, startTestUniverse, type TestUniverse } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const execute = promisify(execFile);
let universe: TestUniverse;
let folder: string;
let clones = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-git-'));
  universe = await startTestUniverse();
  for (const [index, cluster] of ['alpha', 'beta'].entries()) {
    const documents = documentsOf(cluster, { network: `10.${20 + index}.0.0/24` });
    const { operation } = await universe.local.declareCluster({ params: { cluster }, body: { documents } });
    await universe.universe.parts.operations.ended(operation?.id ?? 0);
  }
  for (const name of ['release', 'alpha', 'beta']) {
    const path = await universe.universe.parts.repositories.ensure(name);
    const work = join(folder, `work-${name}`);
    const git = (...args: string[]) =>
      execute('git', ['-c', 'user.name=x', '-c', 'user.email=x', ...args], { cwd: work });
    await execute('git', ['clone', '--quiet', path, work]);
    await writeFile(join(work, 'README'), `the files of ${name}\n`);
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    await git('push', '--quiet', 'origin', 'HEAD:main');
  }
  await writeFile(join(folder, 'ca'), universe.ca);
});
afterAll(async () => {
  await universe.close();
  await rm(folder, { recursive: true });
});

/** The content of the cloned repository, or the error. */
async function clone(name: string, environment: Record<string, string> = {}, user = ''): Promise<string> {
  clones += 1;
  const target = join(folder, `clone-${clones}`);
  const url = `https://${user}127.0.0.1:${universe.port}/git/${name}.git`;
  const env = {
    ...process.env,
    GIT_SSL_CAINFO: join(folder, 'ca'),
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...environment,
  };
  try {
    await execute('git', ['clone', '--quiet', url, target], { env });
    return await readFile(join(target, 'README'), 'utf8');
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}

async function certificateOf(node: string): Promise<Record<string, string>> {
  const { identity } = await universe.enrolled(node);
  const [key, certificate] = [join(folder, `${node}.key`), join(folder, `${node}.crt`)];
  await writeFile(key, identity.key);
  await writeFile(certificate, identity.certificate);
  return { GIT_SSL_KEY: key, GIT_SSL_CERT: certificate };
}

test('users clone with a token as their password', async () => {
  const token = await universe.token('viewer');
  expect(await clone('release', {}, `x:${token}@`)).toBe('the files of release\n');
  expect(await clone('alpha', {}, `x:${token}@`)).toBe('the files of alpha\n');
  expect(await clone('release')).toContain('could not read Username');
  expect(await clone('release', {}, 'x:wrong@')).toContain('Authentication failed');
  expect(await clone('nothing', {}, `x:${token}@`)).toContain('not found');
});

test('nodes clone with their certificates: the release and the repository of their own cluster', async () => {
  const alpha = await certificateOf('alpha-main-1');
  expect(await clone('release', alpha)).toBe('the files of release\n');
  expect(await clone('alpha', alpha)).toBe('the files of alpha\n');
  expect(await clone('beta', alpha)).toContain('403');
  const unplanned = await certificateOf('unplanned');
  expect(await clone('release', unplanned)).toBe('the files of release\n');
  expect(await clone('alpha', unplanned)).toContain('403');
  await universe.localNodes.revokeNode({ params: { name: 'alpha-main-1' } });
  expect(await clone('release', alpha)).toContain('could not read Username');
});

test('pushes are refused, and paths cannot bypass access control', async () => {
  const token = await universe.token('admin');
  const send = (path: string) => universe.send(path, { token });
  const work = join(folder, 'work-alpha');
  const url = `https://x:${token}@127.0.0.1:${universe.port}/git/alpha.git`;
  const env = { ...process.env, GIT_SSL_CAINFO: join(folder, 'ca') };
  await expect(execute('git', ['push', url, 'HEAD:refs/heads/other'], { cwd: work, env })).rejects.toThrow('403');
  const { identity } = await universe.enrolled('beta-main-1');
  for (const path of [
    '/git/beta.git/../alpha.git/info/refs?service=git-upload-pack',
    '/git/beta.git/%2e%2e/alpha.git/info/refs?service=git-upload-pack',
    '/git/release.git/../alpha.git/info/refs?service=git-upload-pack',
    '/git/release.git/..%2falpha.git/info/refs?service=git-upload-pack',
    `https://127.0.0.1/git/release.git/../alpha.git/info/refs?service=git-upload-pack`,
  ]) {
    const { status, text } = await universe.send(path, { identity });
    expect([403, 404]).toContain(status);
    expect(text).not.toContain('refs/heads');
  }
  // A request may have an absolute URL, as for a proxy.
  const absolute = `https://127.0.0.1:${universe.port}/git/alpha.git/info/refs?service=git-upload-pack`;
  expect((await send(absolute)).text).toContain('git-upload-pack');
});

test('a stopped git service is reported, and Universe continues', async () => {
  const token = await universe.token('viewer');
  universe.git.close();
  const { status, json } = await universe.send('/git/release.git/info/refs?service=git-upload-pack', { token });
  expect([status, json.code]).toEqual([502, 'NOVA8450']);
  const { services } = await universe.local.status({});
  expect(services.find(({ name }) => name === 'git')).toMatchObject({ isReady: false });
  const git = await serveRepositories({
    folder: join(universe.folder, 'git'),
    socket: join(universe.folder, 'git.sock'),
    log: () => undefined,
  });
  onTestFinished(() => git.close());
  expect(await clone('release', {}, `x:${token}@`)).toBe('the files of release\n');
});
