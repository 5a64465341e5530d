import { X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { migrate, openStore } from '@nova-platform/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, startTestServer, type TestServer } from '../testing/server.ts';
import { type AccessSchema, accessMigrations } from './schema.ts';
import { tokenMilliseconds, Users } from './users.ts';

let server: TestServer;
const networks = '/networking/v2.0/networks';

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function statusWith(authorization: string, method = 'GET'): Promise<number> {
  const body = method === 'POST' ? { body: { network: { name: 'lab' } } } : {};
  return (await server.ask(method, networks, { headers: { authorization }, ...body })).status;
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const basic = (name: string, secret: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

test('a token of the SSO opens the API until its logout', async () => {
  const { access_token: token = '', ...rest } = await server.login('admin@internal');
  expect(rest).toEqual({ scope: 'ovirt-app-api', token_type: 'bearer', exp: expect.stringMatching(/^\d{13}$/) });
  expect(await statusWith(`Bearer ${token}`)).toBe(200);
  const info = await server.ask('POST', '/ovirt-engine/sso/oauth/token-info', {
    headers: form,
    body: `token=${token}`,
  });
  expect(JSON.parse(info.body)).toMatchObject({ active: true, user_id: 'admin@internal' });

  const logout = await server.ask('POST', '/ovirt-engine/services/sso-logout', {
    headers: form,
    body: `scope=ovirt-app-api&token=${token}`,
  });
  expect(logout).toMatchObject({ status: 200, body: '{}' });
  expect(logout.headers['content-type']).toMatch(/^application\/json/);
  expect(await statusWith(`Bearer ${token}`)).toBe(401);
});

test('errors of the SSO have the fields that clients parse', async () => {
  expect(await server.login('admin@internal', 'wrong')).toEqual({
    error_code: 'access_denied',
    error: 'Cannot authenticate user admin@internal: the user name or password is incorrect.',
  });
  expect(await server.login('nobody@internal', 'wrong')).toMatchObject({ error_code: 'access_denied' });
  const codeOf = async (path: string, body: string) => {
    const { status, body: answer } = await server.ask('POST', `/ovirt-engine/sso/oauth/${path}`, {
      headers: form,
      body,
    });
    return [status, (JSON.parse(answer) as { error_code: string }).error_code];
  };
  expect(await codeOf('token', 'grant_type=implicit')).toEqual([400, 'unsupported_grant_type']);
  expect(await codeOf('token', 'grant_type=password&username=a')).toEqual([400, 'invalid_request']);
  expect(await codeOf('token', '')).toEqual([400, 'invalid_request']);
  expect(await codeOf('token-info', 'token=wrong')).toEqual([400, 'invalid_grant']);
});

test('JSON of unexpected types is a request without its parameters', async () => {
  for (const [path, body] of [
    ['token', { grant_type: 5 }],
    ['token', { grant_type: 'password', username: { a: 1 }, password }],
    ['token', { grant_type: 'password', username: 'admin@internal', password: [1] }],
    ['token-info', { token: { length: 10 } }],
    ['revoke', { token: 1 }],
    ['revoke', []],
  ] as const)
    expect(await server.ask('POST', `/ovirt-engine/sso/oauth/${path}`, { body })).toMatchObject({
      status: 400,
      body: expect.stringContaining('"error_code":"invalid_request"'),
    });
});

test('a name and a password open the API without a token', async () => {
  expect(await statusWith(basic('admin@internal', password))).toBe(200);
  expect(await statusWith(basic('admin@internal', 'wrong'))).toBe(401);
  expect(await statusWith('Basic !')).toBe(401);
});

test('a stranger gets 401, and a user with the role ReadOnlyAdmin only reads', async () => {
  for (const wrong of ['', 'Bearer ', 'Bearer wrong', 'Negotiate x', `Bearer ${'x'.repeat(10_000)}`])
    expect(await statusWith(wrong)).toBe(401);
  const { access_token: token } = await server.login('reader@internal');
  expect(await statusWith(`Bearer ${token}`)).toBe(200);
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect(
      (
        await server.ask(method, `${networks}${method === 'POST' ? '' : '/x'}`, {
          headers: { authorization: `Bearer ${token}` },
          ...(method !== 'DELETE' && { body: { network: { name: 'lab' } } }),
        })
      ).status,
    ).toBe(403);
});

test('a new password and the removal of a user end its tokens', async () => {
  await server.admin.createUser({ body: { name: 'anna@internal', role: 'SuperUser', password } });
  const { access_token: first } = await server.login('anna@internal');
  expect(await statusWith(`Bearer ${first}`)).toBe(200);
  expect(await statusWith(basic('anna@internal', password))).toBe(200);
  await server.admin.changePassword({ params: { name: 'anna@internal' }, body: { password: 'another password' } });
  expect(await statusWith(`Bearer ${first}`)).toBe(401);
  expect(await statusWith(basic('anna@internal', password))).toBe(401);
  const { access_token: second } = await server.login('anna@internal', 'another password');
  expect(await statusWith(`Bearer ${second}`)).toBe(200);
  await server.admin.removeUser({ params: { name: 'anna@internal' } });
  expect(await statusWith(`Bearer ${second}`)).toBe(401);
});

test('root manages users', async () => {
  const codes = async (work: Promise<unknown>) =>
    work.then(
      () => [],
      (error: { problems?: { code: string }[] }) => error.problems?.map(({ code }) => code),
    );
  const { admin } = server;
  expect(await codes(admin.createUser({ body: { name: 'admin@internal', role: 'SuperUser', password } }))).toEqual([
    'NOVA7655',
  ]);
  expect(await codes(admin.createUser({ body: { name: 'admin', role: 'SuperUser', password } }))).toEqual(['NOVA7026']);
  expect(await codes(admin.createUser({ body: { name: 'a@b', role: 'SuperUser', password: 'short' } }))).toEqual([
    'NOVA7026',
  ]);
  expect(await codes(admin.removeUser({ params: { name: 'nobody@internal' } }))).toEqual(['NOVA7656']);
  expect((await admin.listUsers({})).map(({ name, role }) => [name, role])).toEqual([
    ['admin@internal', 'SuperUser'],
    ['reader@internal', 'ReadOnlyAdmin'],
  ]);
});

test('the CA of the certificate can be fetched', async () => {
  const path = '/ovirt-engine/services/pki-resource?resource=ca-certificate&format=X509-PEM-CA';
  const { status, body } = await server.ask('GET', path);
  expect([status, body]).toEqual([200, server.authority]);
  expect(new X509Certificate(body).ca).toBe(true);
  expect((await server.ask('GET', '/ovirt-engine/services/pki-resource?resource=other')).status).toBe(404);
});

test('bodies and headers are limited', async () => {
  const authorization = `Bearer ${(await server.login('admin@internal')).access_token}`;
  const large = await server.ask('POST', networks, {
    headers: { authorization, 'content-type': 'application/json' },
    body: 'x'.repeat(5 * 1024 * 1024),
  });
  expect(large.status).toBe(413);
  for (const body of ['', '{', '[]', 'null', '"x"', '{"network":[]}'])
    expect(
      (await server.ask('POST', networks, { headers: { authorization, 'content-type': 'application/json' }, body }))
        .status,
    ).toBe(400);
});

async function memoryUsers(now: () => number): Promise<Users> {
  const db = await openStore<AccessSchema>({ kind: 'sqlite', file: ':memory:' });
  await migrate(db, 'access', accessMigrations);
  const users = new Users(db, now);
  await users.create({ name: 'admin@internal', role: 'SuperUser', password });
  return users;
}

test('a token expires, and a user has a limited number of them', async () => {
  let now = 1_000_000;
  const users = await memoryUsers(() => now);
  const login = await users.login('admin@internal', password, '192.0.2.1');
  const tokens: string[] = [];
  for (let count = 0; count < 101; count += 1) {
    now += 1;
    tokens.push((await users.createToken(login)).token);
  }
  expect(await users.byToken(tokens[0] ?? '')).toBeUndefined();
  expect(await users.byToken(tokens[1] ?? '')).toMatchObject({ name: 'admin@internal' });
  expect((await users.list())[0]?.tokens).toBe(100);
  now += tokenMilliseconds;
  expect(await users.byToken(tokens[100] ?? '')).toBeUndefined();
  expect((await users.list())[0]?.tokens).toBe(0);
});

test('failed logins delay further ones, also with the right password', async () => {
  let now = 1_000_000;
  const users = await memoryUsers(() => now);
  const attempt = (secret: string) =>
    users.login('admin@internal', secret, '192.0.2.1').then(
      () => 'in',
      (error: { problems: { code: string }[] }) => error.problems[0]?.code,
    );
  for (let count = 0; count < 5; count += 1) expect(await attempt('wrong')).toBe('NOVA7650');
  expect(await attempt(password)).toBe('NOVA8313');
  now += 60 * 60_000;
  expect(await attempt(password)).toBe('in');
});

test('a token is not created with a password that has changed meanwhile', async () => {
  const users = await memoryUsers(() => Date.now());
  const login = await users.login('admin@internal', password, '192.0.2.1');
  await users.changePassword('admin@internal', 'another password');
  await expect(users.createToken(login)).rejects.toThrow();
});

test('files contain neither passwords nor tokens', async () => {
  const { access_token: token = '' } = await server.login('admin@internal');
  const files = await readdir(server.folder);
  const content = (
    await Promise.all(
      files.filter((file) => file.startsWith('ovirt.db')).map((file) => readFile(`${server.folder}/${file}`, 'latin1')),
    )
  ).join('');
  expect(content).toContain('admin@internal');
  expect(content).not.toContain(token);
  expect(content).not.toContain(password);
});

// Last: the store is unusable afterwards.
test('clients see no text of an internal error', async () => {
  const { access_token: token } = await server.login('admin@internal');
  const store = await openStore<AccessSchema>({ kind: 'sqlite', file: `${server.folder}/ovirt.db` });
  await store.schema.dropTable('declared_networks').execute();
  const headers = { authorization: `Bearer ${token}` };
  const networking = await server.ask('GET', networks, { headers });
  await store.schema.dropTable('tokens').execute();
  await store.destroy();
  const sso = await server.ask('POST', '/ovirt-engine/sso/oauth/token-info', { headers: form, body: 'token=x' });
  for (const { status, body } of [networking, sso])
    expect([status, JSON.parse(body)]).toEqual([500, { error: expect.stringMatching(/^The server failed .* log /) }]);
});
