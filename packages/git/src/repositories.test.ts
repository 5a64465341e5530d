import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openRepositories, type Repositories } from './repositories.ts';

const execute = promisify(execFile);
const megabyte = 1024 * 1024;

let folder: string;
let data: string;
let repositories: Repositories;
let server: Server;
let url: string;
let tip: string;
const logged: string[] = [];

/** The stock client, without any user configuration. */
async function git(...args: string[]): Promise<{ exitCode: number; output: string }> {
  const env = {
    PATH: process.env.PATH,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'nova',
    GIT_AUTHOR_EMAIL: 'nova@nova.internal',
    GIT_COMMITTER_NAME: 'nova',
    GIT_COMMITTER_EMAIL: 'nova@nova.internal',
  };
  try {
    const { stdout, stderr } = await execute('git', args, { env });
    return { exitCode: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exitCode: code, output: stdout + stderr };
  }
}

/** Commits to branch main and returns the hash. */
async function commit(name: string, file: string, content: string | Buffer): Promise<string> {
  const repository = await repositories.ensure(name);
  const work = join(folder, `work-${name}`);
  if (!existsSync(work)) await git('clone', '--quiet', repository, work);
  await writeFile(join(work, file), content);
  await git('-C', work, 'add', '.');
  await git('-C', work, 'commit', '--quiet', '--message', file);
  await git('-C', work, 'push', '--quiet', 'origin', 'HEAD:main');
  return (await git('-C', work, 'rev-parse', 'HEAD')).output.trim();
}

const packet = (line: string) => (line.length + 4).toString(16).padStart(4, '0') + line;
/** A fetch request of protocol version 2 that wants everything. */
const wanting = (hash: string) => `${packet('command=fetch')}0001${packet(`want ${hash}`)}${packet('done')}0000`;
const fetchHeaders = { 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' };

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends the path unchanged; git clients would normalize it. */
async function send({ method = 'GET', path, headers = {}, body = '' }: Sent): Promise<IncomingMessage> {
  const outgoing = request({ host: '127.0.0.1', port: new URL(url).port, method, path, headers });
  // Errors after the response: the server no longer reads the body.
  outgoing.on('error', () => undefined).end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

async function status(sent: Sent): Promise<number> {
  const response = await send(sent);
  // Errors reveal no details.
  if (response.statusCode !== 200) expect(await text(response)).toBe('');
  response.destroy();
  return response.statusCode ?? 0;
}

const post = (body: string | Buffer, headers: Record<string, string> = {}): Sent => ({
  method: 'POST',
  path: '/small.git/git-upload-pack',
  headers: { ...fetchHeaders, ...headers },
  body,
});

/** All processes that serve requests, including their children. */
async function serving(): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const variables = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (variables.split('\0').includes(`GIT_PROJECT_ROOT=${data}`)) found.push(Number(pid));
  }
  return found;
}

/** A client that reads the start of a large repository and then stalls. */
async function waitingClient(): Promise<IncomingMessage> {
  return send({ ...post(wanting(tip)), path: '/large.git/git-upload-pack' });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-git-'));
  data = join(folder, 'data');
  repositories = await openRepositories(data, (line) => logged.push(line));
  server = createServer((incoming, response) => void repositories.serve(incoming, response, incoming.url ?? ''));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await commit('small', 'first', 'one\n');
  await commit('small', 'second', 'two\n');
  tip = await commit('large', 'noise', randomBytes(48 * megabyte));
}, 60_000);
beforeEach(() => logged.splice(0));
afterEach(() => expect.poll(serving).toEqual([]));
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

describe('repositories', () => {
  test('are created once, even by concurrent calls', async () => {
    const paths = await Promise.all(Array.from({ length: 5 }, () => repositories.ensure('twice')));
    expect(new Set(paths)).toEqual(new Set([join(data, 'twice.git')]));
    expect((await git('-C', join(data, 'twice.git'), 'symbolic-ref', 'HEAD')).output).toBe('refs/heads/main\n');
    expect(await repositories.list()).toEqual(['large', 'small', 'twice']);
    expect((await readdir(data)).toSorted()).toEqual(['large.git', 'small.git', 'twice.git']);
  });

  test('that are incomplete are deleted when the folder is opened', async () => {
    const other = join(folder, 'other');
    await mkdir(join(other, '.making-abc', 'objects'), { recursive: true });
    const reopened = await openRepositories(other, () => undefined);
    expect(await readdir(other)).toEqual([]);
    await reopened.ensure('one');
    expect(await reopened.list()).toEqual(['one']);
  });

  test('are named by labels', async () => {
    for (const name of ['', '..', '../small', 'a/b', 'Small', '.hidden', 'a.git', 'a\n'])
      await expect(repositories.ensure(name)).rejects.toMatchObject({ problems: [{ code: 'NOVA7026' }] });
  });
});

describe('the stock git client', () => {
  test('clones, fetches, lists and makes shallow clones', async () => {
    const clone = join(folder, 'clone');
    expect(await git('clone', `${url}/small.git`, clone)).toMatchObject({ exitCode: 0 });
    expect(await readFile(join(clone, 'second'), 'utf8')).toBe('two\n');
    const third = await commit('small', 'third', 'three\n');
    expect(await git('-C', clone, 'fetch')).toMatchObject({ exitCode: 0 });
    expect((await git('-C', clone, 'rev-parse', 'origin/main')).output.trim()).toBe(third);
    expect((await git('ls-remote', `${url}/small.git`)).output).toBe(`${third}\tHEAD\n${third}\trefs/heads/main\n`);
    const shallow = join(folder, 'shallow');
    expect(await git('clone', '--depth=1', `${url}/small.git`, shallow)).toMatchObject({ exitCode: 0 });
    expect((await git('-C', shallow, 'rev-list', '--count', 'HEAD')).output).toBe('1\n');
    expect(await git('-C', shallow, 'fetch', '--unshallow')).toMatchObject({ exitCode: 0 });
    expect(logged).toEqual([]);
  });

  test.for([0, 1, 2])('can use protocol version %i', async (version) => {
    const clone = join(folder, `version-${version}`);
    const outcome = await git('-c', `protocol.version=${version}`, 'clone', '--depth=1', `${url}/small.git`, clone);
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(await readFile(join(clone, 'first'), 'utf8')).toBe('one\n');
    const path = '/small.git/info/refs?service=git-upload-pack';
    const advertisement = await text(await send({ path, headers: { 'git-protocol': `version=${version}` } }));
    expect(/version \d/.exec(advertisement)?.[0]).toBe(version === 0 ? undefined : `version ${version}`);
  });

  test('compresses a long list of haves', async () => {
    const clone = join(folder, 'much');
    await git('clone', '--quiet', `${url}/small.git`, clone);
    // git offers the newest commits first, in whole seconds: one of the server among them would end the list early.
    await sleep(1000);
    for (let count = 0; count < 100; count += 1)
      await git('-C', clone, 'commit', '--quiet', '--allow-empty', '--message', `${count}`);
    const fourth = await commit('small', 'fourth', 'four\n');
    const encodings: unknown[] = [];
    server.on('request', ({ headers }: IncomingMessage) => encodings.push(headers['content-encoding']));
    expect(await git('-C', clone, 'fetch')).toMatchObject({ exitCode: 0 });
    expect(encodings).toContain('gzip');
    expect((await git('-C', clone, 'rev-parse', 'origin/main')).output.trim()).toBe(fourth);
  });

  test('clones an empty repository with branch main', async () => {
    await repositories.ensure('empty');
    const clone = join(folder, 'empty-clone');
    expect(await git('clone', `${url}/empty.git`, clone)).toMatchObject({ exitCode: 0 });
    expect((await git('-C', clone, 'symbolic-ref', 'HEAD')).output).toBe('refs/heads/main\n');
  });

  test('gets an error that names the missing commit', async () => {
    const clone = join(folder, 'absent');
    await git('init', '--quiet', clone);
    const { exitCode, output } = await git('-C', clone, 'fetch', `${url}/small.git`, '1'.repeat(40));
    expect(exitCode).not.toBe(0);
    expect(output).toContain('not our ref');
  });

  test('cannot push', async () => {
    const clone = join(folder, 'pushing');
    await git('clone', '--quiet', `${url}/small.git`, clone);
    await git('-C', clone, 'commit', '--allow-empty', '--message', 'mine');
    const { exitCode, output } = await git('-C', clone, 'push');
    expect(exitCode).not.toBe(0);
    expect(output).toContain('403');
  });

  test('clones fifty times in parallel; excess clients get 503 and retry', async () => {
    const clone = async (target: string): Promise<void> => {
      const { exitCode, output } = await git('clone', '--quiet', `${url}/small.git`, target);
      if (exitCode === 0) return;
      expect(output).toContain('503');
      await sleep(300);
      await clone(target);
    };
    await Promise.all(Array.from({ length: 50 }, (_, index) => clone(join(folder, `many-${index}`))));
    for (let index = 0; index < 50; index += 1)
      expect(await readFile(join(folder, `many-${index}`, 'first'), 'utf8')).toBe('one\n');
  }, 60_000);
});

describe('the server rejects', () => {
  test.for([
    '/small.git/HEAD',
    '/small.git/config',
    '/small.git/info/refs',
    '/small.git/info/refs?service=git-upload-archive',
    '/small.git/info/refs?service=git-upload-pack&service=git-receive-pack',
    '/small.git/info/refs?service=git%2Dreceive-pack',
    '/small.git/objects/info/packs',
    '/small.git/git-upload-pack?',
    '/small.git/git-upload-pack/',
    '/small.git//git-upload-pack',
    '/small.git/./info/refs?service=git-upload-pack',
    '/../data/small.git/info/refs?service=git-upload-pack',
    '/..%2fdata%2fsmall.git/info/refs?service=git-upload-pack',
    '/x/../small.git/info/refs?service=git-upload-pack',
    '/../work-small/.git/info/refs?service=git-upload-pack',
    '/.git/info/refs?service=git-upload-pack',
    '/..git/info/refs?service=git-upload-pack',
    '/small/info/refs?service=git-upload-pack',
    '/small.git.git/info/refs?service=git-upload-pack',
    '/SMALL.git/info/refs?service=git-upload-pack',
    '/small%00.git/info/refs?service=git-upload-pack',
    '/absent.git/info/refs?service=git-upload-pack',
    '/',
    '*',
  ])('the unknown path %s', async (path) => {
    expect(await status({ path })).toBe(404);
    expect(await status({ path, method: 'POST', headers: fetchHeaders, body: '0000' })).toBe(404);
  });

  test('pushes and other methods', async () => {
    expect(await status({ path: '/small.git/info/refs?service=git-receive-pack' })).toBe(403);
    expect(await status({ path: '/small.git/git-receive-pack', method: 'POST', body: '0000' })).toBe(403);
    expect(await status({ path: '/small.git/git-upload-pack' })).toBe(405);
    expect(await status({ path: '/small.git/info/refs?service=git-upload-pack', method: 'HEAD' })).toBe(405);
    expect(await status({ path: '/small.git/info/refs?service=git-upload-pack', method: 'POST' })).toBe(405);
  });

  test('a body that is not a git request', async () => {
    expect(await status(post('0000', { 'content-type': 'text/plain' }))).toBe(415);
    expect(await status(post('0000', { 'content-encoding': 'br' }))).toBe(415);
    expect(await status(post('nonsense', { 'content-encoding': 'gzip' }))).toBe(400);
    const nonsense = await send(post('nonsense'));
    await expect(text(nonsense)).rejects.toThrow('aborted');
  });

  test('a body that is too large, before or after decompression', async () => {
    const zeros = Buffer.alloc(200 * megabyte);
    expect(await status(post(gzipSync(zeros), { 'content-encoding': 'gzip' }))).toBe(413);
    expect(await status(post(zeros.subarray(0, megabyte + 1)))).toBe(413);
    expect(await status(post(zeros.subarray(0, megabyte + 1), { 'transfer-encoding': 'chunked' }))).toBe(413);
    const small = wanting(await commit('small', 'fifth', 'five\n'));
    expect(await status(post(gzipSync(small), { 'content-encoding': 'gzip' }))).toBe(200);
    // The connection may close before the response arrives.
    const huge = await status(post(zeros)).catch(({ code }: NodeJS.ErrnoException) => code);
    expect([413, 'ECONNRESET', 'EPIPE']).toContain(huge);
  });
});

describe('git processes', () => {
  test('are killed when their client disconnects', async () => {
    const client = await waitingClient();
    expect(await serving()).not.toEqual([]);
    client.destroy();
    await expect.poll(serving).toEqual([]);
    expect(logged).toEqual([]);
  });

  test('are not started for clients that disconnect before sending the request', async () => {
    for (let count = 0; count < 20; count += 1) {
      const { method, path, headers } = post('');
      const outgoing = request({ host: '127.0.0.1', port: new URL(url).port, method, path, headers });
      outgoing.on('error', () => undefined).write('00');
      await once(server, 'request');
      outgoing.destroy();
    }
    await expect.poll(() => status({ path: '/small.git/info/refs?service=git-upload-pack' })).toBe(200);
    expect(logged).toEqual([]);
  });

  test('are killed after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const client = await waitingClient();
      const broken = once(client, 'error');
      client.pause();
      vi.advanceTimersByTime(10 * 60_000);
      client.resume();
      await broken;
    } finally {
      vi.useRealTimers();
    }
    await expect.poll(serving).toEqual([]);
    expect(logged).toEqual(['/large.git/git-upload-pack: aborted after the timeout']);
  });

  test('are limited to sixteen', async () => {
    const clients = await Promise.all(Array.from({ length: 16 }, waitingClient));
    const response = await send({ path: '/small.git/info/refs?service=git-upload-pack' });
    expect(response).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } });
    for (const client of clients) client.destroy();
    await expect.poll(() => status({ path: '/small.git/info/refs?service=git-upload-pack' })).toBe(200);
  });

  test('that are killed break only their own connection', async () => {
    // git, http-backend, upload-pack and pack-objects.
    for (const index of [0, 1, 2, 3]) {
      const client = await waitingClient();
      await expect.poll(async () => (await serving()).length).toBe(4);
      const processes = await serving();
      process.kill(processes.toSorted((a, b) => a - b)[index] ?? Number.NaN, 'SIGKILL');
      await expect(text(client)).rejects.toThrow('aborted');
      await expect.poll(() => logged.splice(0).join('\n')).toContain('stopped early');
    }
    expect(await status({ path: '/small.git/info/refs?service=git-upload-pack' })).toBe(200);
  });

  test('report errors only to the log', async () => {
    await rm(join(await repositories.ensure('broken'), 'HEAD'));
    expect(await status({ path: '/broken.git/info/refs?service=git-upload-pack' })).toBe(404);
    await expect.poll(() => logged).toEqual([expect.stringMatching(/^broken: Not a git repository/)]);
  });

  test('ignore the configuration of the host', async () => {
    await writeFile(join(folder, '.gitconfig'), '[transfer]\n\thideRefs = refs\n');
    vi.stubEnv('HOME', folder);
    vi.stubEnv('GIT_DIR', folder);
    try {
      expect((await git('ls-remote', `${url}/small.git`)).output).toContain('refs/heads/main');
      expect(await repositories.ensure('unconfigured')).toBe(join(data, 'unconfigured.git'));
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
