import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStandaloneAuthority } from '@nova-platform/pki';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { socket } from '../../universe/src/access/credential.ts';
import type { Contexts } from './contexts.ts';
import { novaCtl, type Outcome } from './testing/terminal.ts';
import { password, startUniverse, type TestUniverse } from './testing/universe.ts';

vi.setConfig({ testTimeout: 30_000 });

let server: TestUniverse;
let folder: string;
beforeAll(async () => {
  server = await startUniverse();
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-contexts-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = () => join(folder, 'nova', 'contexts.json');
const stored = () => JSON.parse(readFileSync(file(), 'utf8')) as Contexts;
const ctl = (argv: readonly string[], options: Parameters<typeof novaCtl>[1] = {}): Promise<Outcome> =>
  novaCtl(argv, { ...options, env: { XDG_CONFIG_HOME: folder, ...options.env } });
const loginArgs = () => ['login', server.url, '--fingerprint', server.universe.fingerprint];
const logIn = () => ctl([...loginArgs(), '--user', 'admin'], { input: `${password}\n` });

async function tokenFor(name: string, role: 'viewer' | 'operator' | 'admin', seconds = 600): Promise<string> {
  const { users } = server.universe.parts;
  if ((await users.list()).every((each) => each.name !== name)) await users.create(name, role, undefined);
  const admin = { kind: 'user', name: 'admin', role: 'admin', credential: socket } as const;
  return (await users.createToken(admin, { user: name, name: 'test', role, seconds })).token;
}

async function logInAs(name: string, role: 'viewer' | 'operator' | 'admin'): Promise<void> {
  const outcome = await ctl([...loginArgs(), '--token', '-'], { input: await tokenFor(name, role) });
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
}

describe('login', () => {
  test('with the right fingerprint and password stores a token that only its owner can read', async () => {
    const fingerprint = `SHA256:${server.universe.fingerprint.toUpperCase()}`;
    const args = ['login', server.url.replace('https://', ''), '--fingerprint', fingerprint, '--user', 'admin'];
    const { exitCode, stdout, stderr } = await ctl(args, { input: `${password}\n` });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(`Logged in to ${server.url} as admin (admin), until `);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'nova')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, 'nova'))).toEqual(['contexts.json']);
    const name = new URL(server.url).host;
    expect(stored()).toMatchObject({
      current: name,
      contexts: { [name]: { server: server.url, user: 'admin', role: 'admin' } },
    });
    expect((await ctl(['status'])).stdout).toContain(`Universe 0.1.0 · ${server.url}`);
  });

  test('with a wrong fingerprint stores nothing', async () => {
    const args = ['login', server.url, '--fingerprint', 'ab'.repeat(32), '--user', 'admin'];
    const { exitCode, stderr } = await ctl(args, { input: password });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('NOVA8333');
    expect(stderr).toContain(server.universe.fingerprint);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('without a fingerprint and a terminal trusts no server', async () => {
    const { exitCode, stderr } = await ctl(['login', server.url, '--user', 'admin'], { input: password });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/NOVA2009 {2}--fingerprint/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('on a terminal shows the fingerprint for confirmation and hides the password', async () => {
    const dialogue: [string, string][] = [
      ['Does it match', 'y'],
      ['User name', '\r'],
      ['Password of admin', `${password}\r`],
    ];
    const { exitCode, stdout } = await ctl(['login', server.url], { dialogue });
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toContain(server.universe.fingerprint);
    expect(stdout).not.toContain(password);
    expect(Object.keys(stored().contexts)).toEqual([new URL(server.url).host]);
  });

  test('stops if the user rejects the fingerprint', async () => {
    const { exitCode, stderr } = await ctl(['login', server.url], { dialogue: [['Does it match', 'n']] });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('NOVA8333');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('with a wrong password stores nothing', async () => {
    const { exitCode, stderr } = await ctl([...loginArgs(), '--user', 'admin'], { input: 'wrong\n' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('NOVA8312');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('reads a token from standard input, and checks it before storing it', async () => {
    const token = await tokenFor('ci', 'viewer');
    const refused = await ctl([...loginArgs(), '--token', '-'], { input: `${token}x\n` });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('NOVA8310') as string });
    expect(readdirSync(folder)).toEqual([]);
    const kept = await ctl([...loginArgs(), '--token', '-', '--name', 'ci', '-o', 'json'], { input: `${token}\n` });
    expect(kept).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(kept.stdout)).toMatchObject({ context: 'ci', user: 'ci', role: 'viewer' });
    expect(kept.stdout).not.toContain(token);
    expect(stored()).toMatchObject({
      current: 'ci',
      contexts: { ci: { token, expiresAt: expect.any(String) as string } },
    });
  });

  test('without an address renews the token of the current context', async () => {
    await logIn();
    const { token } = Object.values(stored().contexts)[0] ?? {};
    const { exitCode } = await ctl(['login'], { input: `${password}\n` });
    expect(exitCode).toBe(0);
    expect(Object.values(stored().contexts)[0]?.token).not.toBe(token);
  });

  test('needs no fingerprint for a known server, and refuses a changed one', async () => {
    await logIn();
    expect(await ctl(['login', server.url], { input: `${password}\n` })).toMatchObject({ exitCode: 0 });
    const changed = stored();
    for (const each of Object.values(changed.contexts)) each.authority = `${each.authority}\n`;
    writeFileSync(file(), JSON.stringify(changed));
    const refused = await ctl(['login', server.url], { input: `${password}\n` });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('NOVA8333') as string });
  });

  test.for(['http://127.0.0.1', 'https://', 'https://u:p@host', 'https://host/path', 'ftp://host', ''])(
    'rejects an invalid address: %s',
    async (url) => {
      const { exitCode, stderr } = await ctl(['login', url, '--fingerprint', 'ab'.repeat(32)]);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/NOVA2009 {2}URL/);
    },
  );
});

describe('a server that is not Universe', () => {
  interface Seen {
    request: string;
    authorization: string | undefined;
  }

  /** Responds as given, with its own certificate. */
  async function stranger(answer: string, work: (url: string) => Promise<void>): Promise<Seen[]> {
    const { certificate, key } = await createStandaloneAuthority({
      subject: { commonName: 'stranger', organizations: [] },
      lifetimeHours: 1,
    });
    const seen: Seen[] = [];
    const fake = createServer({ cert: certificate, key }, (request, response) => {
      seen.push({ request: `${request.method} ${request.url}`, authorization: request.headers.authorization });
      response.end(answer);
    });
    await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
    try {
      await work(`https://127.0.0.1:${(fake.address() as AddressInfo).port}`);
    } finally {
      fake.closeAllConnections();
      fake.close();
    }
    return seen;
  }

  test('receives only the request for its CA', async () => {
    const seen = await stranger('{"certificate":"-----BEGIN CERTIFICATE-----"}', async (url) => {
      const { stderr } = await ctl([
        'login',
        url,
        '--fingerprint',
        server.universe.fingerprint,
        '--token',
        'nova_secret',
      ]);
      expect(stderr).toContain('NOVA8333');
    });
    expect(seen).toEqual([{ request: 'GET /api/v1/authority', authorization: undefined }]);
  });

  test('is refused even when it reports the right CA: its certificate is not signed by it', async () => {
    const certificate = await server.universe.parts.config.services.authorities.bundle();
    const seen = await stranger(JSON.stringify({ certificate }), async (url) => {
      const args = ['login', url, '--fingerprint', server.universe.fingerprint, '--user', 'admin'];
      const { exitCode, stderr } = await ctl(args, { input: `${password}\n` });
      expect(exitCode).toBe(2);
      expect(stderr).toContain('NOVA8334');
    });
    expect(seen).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.for(['<html>', '{}', 'null', '{"problems":[{"code":"NOVA8310","params":{},"path":[]}]}', '[1]'])(
    'is recognized by its response: %s',
    async (answer) => {
      await stranger(answer, async (url) => {
        const { exitCode, stderr } = await ctl(['login', url, '--fingerprint', server.universe.fingerprint]);
        expect(exitCode).toBe(2);
        expect(stderr).toMatch(/NOVA8331\n.*the server at this address is not Universe/);
      });
    },
  );

  test('is distinguished from a refused connection', async () => {
    const { exitCode, stderr } = await ctl(['login', 'https://127.0.0.1:1', '--fingerprint', 'ab'.repeat(32)]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /NOVA8331\n.*https:\/\/127.0.0.1:1 is unreachable: the connection was refused \(ECONNREFUSED\)/,
    );
  });
});

describe('contexts', () => {
  test('commands without a context explain how to log in', async () => {
    for (const argv of [['status'], ['login'], ['logout'], ['operation', 'list']]) {
      const { exitCode, stderr } = await ctl(argv);
      expect({ argv, exitCode }).toEqual({ argv, exitCode: 2 });
      expect(stderr).toContain('NOVA8332');
    }
  });

  test('the file is replaced atomically, never written in place', async () => {
    await logIn();
    const before = readFileSync(file(), 'utf8');
    linkSync(file(), join(folder, 'before'));
    await ctl(['login', '--name', 'other'], { input: `${password}\n` });
    expect(readFileSync(join(folder, 'before'), 'utf8')).toBe(before);
    expect(Object.keys(stored().contexts)).toEqual([new URL(server.url).host, 'other']);
  });

  test('a damaged file stays unchanged', async () => {
    mkdirSync(join(folder, 'nova'));
    for (const damaged of ['{', '[]', '{"contexts":{"a":{}}}', '{"contexts":{"a":{"server":1}}}']) {
      writeFileSync(file(), damaged);
      const { exitCode, stderr } = await logIn();
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`${file()}:1:1  NOVA2009`);
      expect(readFileSync(file(), 'utf8')).toBe(damaged);
    }
  });

  test('contexts are listed without secrets, selected and removed', async () => {
    await logIn();
    await ctl(['login', '--name', 'other'], { input: `${password}\n` });
    const name = new URL(server.url).host;
    const listed = await ctl(['context', 'list', '-o', 'json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      contexts: [
        { name, isCurrent: false, isLoggedIn: true },
        { name: 'other', isCurrent: true, fingerprint: server.universe.fingerprint },
      ],
    });
    expect(listed.stdout).not.toMatch(/nova_|BEGIN/);
    expect(await ctl(['context', 'use', name])).toMatchObject({ exitCode: 0 });
    expect(stored().current).toBe(name);
    expect(await ctl(['__complete', 'context', 'use', 'o'])).toMatchObject({
      stdout: expect.stringMatching(/^other\t/) as string,
    });
    expect((await ctl(['context', 'use', 'nobody'])).stderr).toContain(`one of ${name}, other`);
    expect(await ctl(['context', 'remove', name])).toMatchObject({ exitCode: 0 });
    expect(stored()).not.toHaveProperty('current');
    expect((await ctl(['status'])).stderr).toContain('NOVA8332');
    expect((await ctl(['status'], { env: { NOVA_CONTEXT: 'other' } })).stdout).toContain('Universe 0.1.0');
    expect((await ctl(['status'], { env: { NOVA_CONTEXT: 'nobody' } })).stderr).toMatch(/NOVA2009 {2}NOVA_CONTEXT/);
  });

  test('logout revokes the token on the server and forgets it', async () => {
    await logIn();
    const [{ token = '' } = {}] = Object.values(stored().contexts);
    expect(await ctl(['logout'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFileSync(file(), 'utf8')).not.toContain('nova_');
    expect((await ctl(['status'])).stderr).toContain('NOVA8310');
    expect((await ctl([...loginArgs(), '--token', token])).stderr).toContain('NOVA8310');
  });

  test('logout forgets the token even when the server is unreachable, and warns', async () => {
    await logIn();
    const changed = stored();
    for (const each of Object.values(changed.contexts)) each.server = 'https://127.0.0.1:1';
    writeFileSync(file(), JSON.stringify(changed));
    const { exitCode, stdout } = await ctl(['logout']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Universe accepts it until it expires');
    expect(readFileSync(file(), 'utf8')).not.toContain('nova_');
  });

  test('the socket on Universe’s own machine needs no context', async () => {
    const env = { NOVA_UNIVERSE_SOCKET: join(server.folder, 'universe.sock') };
    expect((await ctl(['user', 'list'], { env })).stdout).toMatch(/^admin +admin +yes/m);
    expect((await ctl(['user', 'password'], { env, input: 'x' })).stderr).toMatch(/NOVA2009 {2}NAME/);
    expect((await ctl(['token', 'create'], { env })).stderr).toMatch(/NOVA2009 {2}--user/);
  });
});

describe('access', () => {
  test('an expired token is reported as not authenticated', async () => {
    await logIn();
    const token = await tokenFor('late', 'viewer', -1);
    const changed = stored();
    for (const each of Object.values(changed.contexts)) each.token = token;
    writeFileSync(file(), JSON.stringify(changed));
    for (const argv of [['status'], ['operation', 'show', '1', '--follow'], ['token', 'list']]) {
      const { exitCode, stderr } = await ctl(argv);
      expect({ argv, exitCode }).toEqual({ argv, exitCode: 2 });
      expect(stderr).toMatch(/NOVA8310\n.*Not authenticated\.\n.*Log in: `nova-ctl login`/);
    }
  });

  test('a viewer can read, and is refused everything else', async () => {
    await logInAs('looker', 'viewer');
    expect((await ctl(['operation', 'list'])).exitCode).toBe(0);
    for (const argv of [
      ['user', 'list'],
      ['audit'],
      ['user', 'create', 'friend', '--role', 'admin', '--no-password'],
      ['operation', 'cancel', '1', '--yes'],
      ['operation', 'resume', '1'],
    ]) {
      const { exitCode, stderr } = await ctl(argv);
      expect({ argv, exitCode }).toEqual({ argv, exitCode: 2 });
      expect(stderr).toMatch(/NOVA8311\n.*The role (operator|admin) is required/);
    }
    expect((await ctl(['token', 'create', '--role', 'admin'])).stderr).toContain('NOVA8318');
  });

  test('an administrator adds, changes and removes users; passwords come from standard input', async () => {
    await logIn();
    const short = await ctl(['user', 'create', 'anna', '--role', 'operator'], { input: 'short\n' });
    expect(short).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('12 to 256 characters') as string });
    const missing = await ctl(['user', 'create', 'anna', '--role', 'operator'], { input: '' });
    expect(missing.stderr).toContain('as a line of standard input');
    const made = await ctl(['user', 'create', 'anna', '--role', 'operator'], { input: 'the first password\n' });
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    const other = { env: { NOVA_CONTEXTS: join(folder, 'anna.json') } };
    const args = [...loginArgs(), '--user', 'anna'];
    expect(await ctl(args, { ...other, input: 'the first password\n' })).toMatchObject({ exitCode: 0 });
    const own = await ctl(['user', 'password'], { ...other, input: 'the first password\nthe second password\n' });
    expect(own).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await ctl(args, { ...other, input: 'the second password\n' })).toMatchObject({ exitCode: 0 });
    expect(await ctl(['user', 'password', 'anna'], { input: 'the third password\n' })).toMatchObject({ exitCode: 0 });
    expect(await ctl(args, { ...other, input: 'the third password\n' })).toMatchObject({ exitCode: 0 });
    expect(await ctl(['user', 'change', 'anna', '--role', 'viewer'])).toMatchObject({ exitCode: 0 });
    expect((await ctl(['user', 'list', '-o', 'json'])).stdout).toMatch(/"name": "anna",\s+"role": "viewer"/);
    expect(await ctl(['user', 'remove', 'anna'])).toMatchObject({ exitCode: 0 });
    expect((await ctl(['status'], other)).stderr).toContain('NOVA8310');
    expect((await ctl(['user', 'remove', 'admin'])).stderr).toContain('NOVA8317');
  });

  test('a new password is prompted twice on a terminal', async () => {
    await logIn();
    const dialogue: [string, string][] = [
      ['New password', 'short\r'],
      ['12 to 256 characters', ' but now long enough\r'],
      ['Repeat the new password', 'not the same\r'],
      ['the passwords differ', `${'\u007f'.repeat(12)}short but now long enough\r`],
    ];
    const { exitCode, stdout } = await ctl(['user', 'create', 'boris', '--role', 'viewer'], { dialogue });
    expect(exitCode, stdout).toBe(0);
    expect(stdout).not.toContain('long enough');
    const other = { env: { NOVA_CONTEXTS: join(folder, 'boris.json') } };
    const args = [...loginArgs(), '--user', 'boris'];
    expect(await ctl(args, { ...other, input: 'short but now long enough\n' })).toMatchObject({ exitCode: 0 });
  });

  test('a token is shown once, works, and stops working when revoked', async () => {
    await logIn();
    const made = await ctl(['token', 'create', '--role', 'viewer', '--ttl', '90m', '--name', 'ci', '-o', 'json']);
    const { token, id, expiresAt } = JSON.parse(made.stdout) as { token: string; id: string; expiresAt: string };
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(89 * 60_000);
    const other = { env: { NOVA_CONTEXTS: join(folder, 'ci.json') } };
    expect(await ctl([...loginArgs(), '--token', token], other)).toMatchObject({ exitCode: 0 });
    const listed = await ctl(['token', 'list']);
    expect(listed.stdout).toMatch(new RegExp(`^${id} +admin +viewer +ci `, 'm'));
    expect(listed.stdout).not.toContain(token);
    expect(await ctl(['token', 'remove', id])).toMatchObject({ exitCode: 0 });
    expect((await ctl(['status'], other)).stderr).toContain('NOVA8310');
    expect((await ctl(['token', 'create', '--ttl', '30d'])).stderr).toContain('NOVA8421');
    expect(await ctl(['token', 'create'])).toMatchObject({ exitCode: 0 });
    expect((await ctl(['token', 'create', '--ttl', '1y'])).stderr).toMatch(/NOVA2009 {2}--ttl/);
  });

  test('the audit log shows who did what, and which requests were refused', async () => {
    await logInAs('looker', 'viewer');
    await ctl(['audit']);
    await logIn();
    const { stdout } = await ctl(['audit', '--who', 'looker', '--limit', '5']);
    expect(stdout).toMatch(/looker +token [a-z2-7]{12} \(test\) +127.0.0.1 +listAudit +audit +403/);
    await ctl(['user', 'change', 'looker', '--role', 'operator']);
    const changed = await ctl(['audit', '--who', 'admin', '--limit', '1']);
    expect(changed.stdout).toMatch(
      /admin +token \S+ \(login\) +\S+ +changeUser +users\/looker +200\n +role: viewer → operator$/m,
    );
  });

  test('the audit log is filtered by action, object and time', async () => {
    await logInAs('reader', 'viewer');
    await logIn();
    await ctl(['user', 'change', 'reader', '--role', 'operator']);
    const targets = async (...filter: string[]) => {
      const { stdout } = await ctl(['audit', '-o', 'json', ...filter]);
      const { entries } = JSON.parse(stdout) as { entries: { action: string; target: string }[] };
      return entries.map(({ action, target }) => `${action} ${target}`);
    };
    const changed = 'changeUser users/reader';
    expect(await targets('--action', 'changeUser', '--object', 'users/reader', '--since', '1h')).toEqual([changed]);
    expect(new Set((await targets('--action', 'changeUser')).map((each) => each.split(' ')[0]))).toEqual(
      new Set(['changeUser']),
    );
    expect(new Set((await targets('--object', 'users/reader')).map((each) => each.split(' ')[1]))).toEqual(
      new Set(['users/reader']),
    );
    const tomorrow = new Date(Date.now() + 24 * 3600_000).toISOString();
    expect(await targets('--object', 'users/reader', '--since', tomorrow)).toEqual([]);
    expect((await ctl(['audit', '--since', 'yesterday'])).stderr).toMatch(/NOVA2009 {2}--since/);
  });
});

describe('operations', () => {
  const start = async () => {
    const { operations, kinds } = server.universe.parts;
    const { id } = await operations.start(kinds.collectImages, {}, 'anna');
    const index = server.registry.collections.length;
    while (server.registry.collections.length === index) await sleep(10);
    const say = (line: object) => server.registry.collections.at(-1)?.write(`${JSON.stringify(line)}\n`);
    return {
      id: String(id),
      say,
      end: () => server.registry.collections.at(-1)?.end('{"freed":{"blobs":1,"bytes":2}}\n'),
    };
  };
  const ended = async (id: string) => {
    await server.universe.parts.operations.ended(Number(id));
  };

  test('are followed line by line, even while the server restarts', async () => {
    await logIn();
    const { id, say } = await start();
    let output = '';
    const seen = async (text: string) => {
      while (!output.includes(text)) await sleep(10);
    };
    const following = ctl(['operation', 'show', id, '--follow'], {
      onOutput: (text) => {
        output += text;
      },
    });
    say({ line: 'before the restart' });
    await seen('collect │ before the restart');
    // The previous line may come from the history; this one comes over the connection that breaks.
    say({ line: 'right before it' });
    await seen('collect │ right before it');
    const { length } = server.registry.collections;
    await server.restart();
    while (server.registry.collections.length === length) await sleep(10);
    say({ line: 'after the restart \u001b[2J' });
    await seen('collect │ after the restart');
    server.registry.collections.at(-1)?.end('{"freed":{"blobs":1,"bytes":2}}\n');
    const { exitCode, stdout, stderr } = await following;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Universe is unreachable; retrying…\n' });
    expect(stdout.replace(/\d+ s\b/g, 'N s')).toBe(
      [
        `${id} · Clean up the registry · registry.images`,
        '● collect  Delete unused blobs',
        '  collect │ before the restart',
        '  collect │ right before it',
        '● collect  Delete unused blobs  attempt 2',
        '  collect │ after the restart',
        '✓ collect  N s',
        '',
        `✓ Operation ${id} is done in N s.`,
        '',
      ].join('\n'),
    );
  });

  test('are followed even when the server restarts before the first request', async () => {
    await logIn();
    const { id } = await start();
    const { length } = server.registry.collections;
    let restarted: Promise<void> | undefined;
    const following = ctl(['operation', 'show', id, '--follow'], {
      onOutput: () => {
        restarted ??= server.restart();
      },
    });
    while (server.registry.collections.length === length) await sleep(10);
    await restarted;
    server.registry.collections.at(-1)?.end('{"freed":{"blobs":1,"bytes":2}}\n');
    expect((await following).exitCode).toBe(0);
  });

  test('show the reason of a failure, and can be resumed', async () => {
    await logIn();
    const { id } = await start();
    server.registry.collections.at(-1)?.destroy();
    await ended(id);
    const shown = await ctl(['operation', 'show', id]);
    expect(shown.exitCode).toBe(1);
    expect(shown.stdout).toContain(`✗ Operation ${id} failed at collect (`);
    expect(shown.stdout).toContain('\n\nNOVA8211\n');
    expect(shown.stdout).toContain(`nova-ctl operation resume ${id} --follow`);
    expect((await ctl(['operation', 'list', '--state', 'failed'])).stdout).toMatch(new RegExp(`^${id} +failed`, 'm'));
    expect((await ctl(['status', '-o', 'json'])).stdout).toMatch(/"failedOperations": [1-9]/);
    const { length } = server.registry.collections;
    const resumed = ctl(['operation', 'resume', id, '--follow', '-o', 'json']);
    while (server.registry.collections.length === length) await sleep(10);
    server.registry.collections.at(-1)?.end('{"freed":{"blobs":1,"bytes":2}}\n');
    const { exitCode, stdout } = await resumed;
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: Number(id), state: 'done' });
    expect((await ctl(['operation', 'resume', id])).stderr).toContain('NOVA8303');
  });

  test('are cancelled only after confirmation', async () => {
    await logIn();
    const { id } = await start();
    expect((await ctl(['operation', 'cancel', id])).stderr).toContain('NOVA6004');
    const refused = await ctl(['operation', 'cancel', id], { dialogue: [['and roll it back?', 'n']] });
    expect(refused.stdout).toContain('Nothing was cancelled.');
    const cancelled = ctl(['operation', 'cancel', id, '--yes']);
    expect(await cancelled).toMatchObject({ exitCode: 0, stderr: '' });
    server.registry.collections.at(-1)?.destroy();
    const followed = await ctl(['operation', 'show', id, '--follow']);
    expect(followed.exitCode).toBe(1);
    expect(followed.stdout).toContain(`↶ Operation ${id} is cancelled.`);
  });

  test('are redrawn in place on a terminal, never wider than it', async () => {
    await logIn();
    const { id, say, end } = await start();
    let isSaid = false;
    const { exitCode, stdout } = await ctl(['operation', 'show', id, '--follow'], {
      dialogue: [],
      columns: 60,
      rows: 20,
      onOutput: (text) => {
        if (!isSaid) say({ line: 'x'.repeat(100) });
        isSaid = true;
        if (text.includes('xxx')) end();
      },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('\u001b[4A\r\u001b[J');
    expect(stdout).toContain(`${'x'.repeat(40)}`);
    expect(stdout).not.toContain('x'.repeat(60));
    expect(stdout.slice(stdout.lastIndexOf('\u001b[J'))).toMatch(new RegExp(`Operation ${id} is done in`));
  });

  test('continue when the user interrupts following', async () => {
    await logIn();
    const { id, end } = await start();
    const following = ctl(['operation', 'show', id, '--follow'], { untilStopped: () => sleep(300) });
    const { exitCode, stderr } = await following;
    expect(exitCode).toBe(130);
    expect(stderr).toBe(
      `Operation ${id} is still running. To follow it again: nova-ctl operation show ${id} --follow\n`,
    );
    end();
    await ended(id);
    expect((await ctl(['operation', 'show', id])).exitCode).toBe(0);
  });
});
