import { eachStore } from '@nova-platform/store/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type Answer, startTestUniverse, type TestUniverse, testPassword } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const outcome = ({ status, json }: Answer) => `${status} ${json.code ?? ''}`.trim();

eachStore('users', (open) => {
  let universe: TestUniverse;
  let admin: string;
  beforeAll(async () => {
    universe = await startTestUniverse({ store: await open() });
    admin = await universe.token('admin');
    await universe.token('operator');
    await universe.token('viewer');
  });
  afterAll(() => universe.close());

  const call = (method: string, path: string, body?: object, token = admin) =>
    universe.send(`/api/v1${path}`, { method, token, ...(body && { body }) });
  const login = (user: string, password: string, from = '127.0.0.1') =>
    universe.send('/api/v1/login', { method: 'POST', body: { user, password }, from });
  const rows = (table: 'access_tokens' | 'sessions' | 'users' | 'login_links') =>
    universe.universe.parts.journal.db.selectFrom(table).selectAll().execute() as Promise<Record<string, unknown>[]>;

  test('users are created, changed and removed', async () => {
    expect(outcome(await call('POST', '/users', { name: 'ann', role: 'viewer', password: testPassword }))).toBe('200');
    expect(outcome(await call('POST', '/users', { name: 'ann', role: 'viewer' }))).toBe('409 NOVA8314');
    expect(outcome(await call('POST', '/users', { name: 'bob', role: 'viewer', password: 'short' }))).toBe(
      '422 NOVA7026',
    );
    expect(outcome(await call('POST', '/users', { name: 'Bob', role: 'viewer' }))).toBe('422 NOVA7026');
    // The audit trail uses this name for root on the host.
    expect(outcome(await call('POST', '/users', { name: 'local', role: 'viewer' }))).toBe('422 NOVA7026');
    expect((await call('GET', '/users')).json.users).toContainEqual(
      expect.objectContaining({ name: 'ann', role: 'viewer', hasPassword: true }),
    );
    expect(outcome(await call('PATCH', '/users/ann', { role: 'operator' }))).toBe('200');
    expect(outcome(await call('PATCH', '/users/ann', {}))).toBe('200');
    expect((await login('ann', testPassword)).json.role).toBe('operator');
    expect(outcome(await call('PATCH', '/users/nobody', { role: 'operator' }))).toBe('404 NOVA8315');
    expect(outcome(await call('DELETE', '/users/ann'))).toBe('200');
    expect(outcome(await call('DELETE', '/users/ann'))).toBe('404 NOVA8315');
    expect(outcome(await login('ann', testPassword))).toBe('401 NOVA8312');
  });

  test('the last administrator cannot be removed', async () => {
    expect(outcome(await call('DELETE', '/users/admin'))).toBe('409 NOVA8317');
    expect(outcome(await call('PATCH', '/users/admin', { role: 'viewer' }))).toBe('409 NOVA8317');
    expect(outcome(await call('PATCH', '/users/admin', { role: 'admin' }))).toBe('200');
    // Of two concurrent removals one is refused.
    await call('POST', '/users', { name: 'second', role: 'admin' });
    const both = await Promise.all([
      universe.sendLocally('/api/v1/users/admin', { method: 'PATCH', body: { role: 'viewer' } }),
      universe.sendLocally('/api/v1/users/second', { method: 'DELETE' }),
    ]);
    expect(both.map(outcome).toSorted()).toEqual(['200', '409 NOVA8317']);
    await universe.local.changeUser({ params: { user: 'admin' }, body: { role: 'admin' } });
    await universe.sendLocally('/api/v1/users/second', { method: 'DELETE' });
  });

  test('users create tokens for themselves, up to their own role, and see them once', async () => {
    const viewer = await universe.token('viewer');
    const body = { name: 'ci', role: 'viewer', seconds: 600 };
    expect(outcome(await call('POST', '/access-tokens', { ...body, role: 'operator' }, viewer))).toBe('403 NOVA8318');
    expect(outcome(await call('POST', '/access-tokens', { ...body, user: 'admin' }, viewer))).toBe('403 NOVA8311');
    expect(outcome(await call('POST', '/access-tokens', { ...body, seconds: 1 }, viewer))).toBe('422 NOVA7026');
    expect(outcome(await call('POST', '/access-tokens', { ...body, user: 'nobody' }))).toBe('404 NOVA8315');
    const made = (await call('POST', '/access-tokens', body, viewer)).json as unknown as {
      token: string;
      created: { id: string };
    };
    expect(made.token).toMatch(/^nova_[a-z2-7]{12}_[\w-]{43}$/);
    // A token with a reduced role cannot create a higher one, and a token never exceeds the role of its user.
    const lesser = await universe.local.createAccessToken({ body: { ...body, role: 'viewer', user: 'admin' } });
    expect((await call('GET', '/whoami', undefined, lesser.token)).json).toEqual({ user: 'admin', role: 'viewer' });
    expect(outcome(await call('POST', '/access-tokens', { ...body, role: 'admin' }, lesser.token))).toBe(
      '403 NOVA8318',
    );
    const greater = await universe.local.createAccessToken({ body: { ...body, role: 'admin', user: 'viewer' } });
    expect((await call('GET', '/whoami', undefined, greater.token)).json).toEqual({ user: 'viewer', role: 'viewer' });

    const shown = JSON.stringify([
      (await call('GET', '/access-tokens', undefined, viewer)).json,
      await rows('access_tokens'),
    ]);
    const secret = made.token.slice('nova_123456789012_'.length);
    expect(shown).toContain(made.created.id);
    for (const hidden of [secret, Buffer.from(secret, 'base64url').toString('hex')])
      expect(shown).not.toContain(hidden);
    expect(universe.log()).not.toContain(secret);

    const own = (await call('GET', '/access-tokens', undefined, viewer)).json.tokens as { user: string }[];
    expect(new Set(own.map(({ user }) => user))).toEqual(new Set(['viewer']));
    const all = (await call('GET', '/access-tokens')).json.tokens as { user: string; id: string }[];
    expect(new Set(all.map(({ user }) => user)).size).toBeGreaterThan(2);
    const admins = all.find(({ user }) => user === 'admin');
    expect(outcome(await call('DELETE', `/access-tokens/${admins?.id}`, undefined, viewer))).toBe('404 NOVA8316');
    expect(outcome(await call('DELETE', `/access-tokens/${made.created.id}`, undefined, viewer))).toBe('200');
    expect(outcome(await call('GET', '/whoami', undefined, made.token))).toBe('401 NOVA8310');
  });

  test('expired tokens are deleted', async () => {
    const { journal } = universe.universe.parts;
    const body = { name: 'old', role: 'viewer', seconds: 600, user: 'viewer' } as const;
    const { created } = await universe.local.createAccessToken({ body });
    await journal.db.updateTable('access_tokens').set({ expires_at: 1 }).where('id', '=', created.id).execute();
    await universe.local.createAccessToken({ body });
    expect((await rows('access_tokens')).map(({ id }) => id)).not.toContain(created.id);
  });

  test('a lower role applies to existing tokens and sessions', async () => {
    await call('POST', '/users', { name: 'eve', role: 'admin', password: testPassword });
    const { json } = await login('eve', testPassword);
    const token = String(json.token);
    expect(outcome(await call('GET', '/users', undefined, token))).toBe('200');
    await call('PATCH', '/users/eve', { role: 'viewer' });
    expect(outcome(await call('GET', '/users', undefined, token))).toBe('403 NOVA8311');
    await call('DELETE', '/users/eve');
    expect(outcome(await call('GET', '/whoami', undefined, token))).toBe('401 NOVA8310');
  });

  test('sessions work only from their own origin, and end with logout, password change or expiry', async () => {
    const start = () =>
      universe.send('/api/v1/session', { method: 'POST', body: { user: 'operator', password: testPassword } });
    const whoami = (cookie: string, headers = {}) =>
      universe.send('/api/v1/whoami', { headers: { cookie, ...headers } });
    const origin = `https://127.0.0.1:${universe.port}`;
    const started = await start();
    const [header = ''] = started.headers['set-cookie'] ?? [];
    expect(header.replace(/=[\w-]{43};/, '=SECRET;')).toBe(
      '__Host-nova_session=SECRET; Path=/; Max-Age=43200; Secure; HttpOnly; SameSite=Strict',
    );
    expect(started.text).not.toContain(/=([\w-]{43})/.exec(header)?.[1]);
    const cookie = header.split(';')[0] ?? '';
    expect((await whoami(cookie)).json).toEqual({ user: 'operator', role: 'operator' });
    expect((await whoami(`a=b; ${cookie}; c=d`)).status).toBe(200);
    expect((await whoami(cookie, { origin })).status).toBe(200);
    for (const foreign of ['https://evil.example', 'null', `http://127.0.0.1:${universe.port}`, 'https://127.0.0.1'])
      expect(outcome(await whoami(cookie, { origin: foreign }))).toBe('401 NOVA8310');
    expect(outcome(await whoami(`x${cookie}`))).toBe('401 NOVA8310');
    expect(JSON.stringify(await rows('sessions'))).not.toContain(cookie.split('=')[1]);

    // Changes require an Origin header.
    for (const headers of [{ cookie }, { cookie, origin: 'https://evil.example' }])
      expect(outcome(await universe.send('/api/v1/session', { method: 'DELETE', headers }))).toBe('401 NOVA8310');
    const foreign = { method: 'POST', headers: { origin: 'https://evil.example' } };
    const body = { user: 'operator', password: testPassword };
    expect(outcome(await universe.send('/api/v1/session', { ...foreign, body }))).toBe('401 NOVA8310');

    const ended = await universe.send('/api/v1/session', { method: 'DELETE', headers: { cookie, origin } });
    expect(ended.headers['set-cookie']).toEqual([expect.stringContaining('__Host-nova_session=; Path=/; Max-Age=0')]);
    expect(outcome(await whoami(cookie))).toBe('401 NOVA8310');

    const [again = ''] = (await start()).headers['set-cookie'] ?? [];
    const other = again.split(';')[0] ?? '';
    expect((await whoami(other)).status).toBe(200);
    const wrong = { old: 'not the password', password: 'another password 1' };
    const change = (body: object) =>
      universe.send('/api/v1/password', { method: 'POST', headers: { cookie: other, origin }, body });
    expect(outcome(await change(wrong))).toBe('401 NOVA8312');
    expect(outcome(await change({ old: testPassword, password: 'short' }))).toBe('422 NOVA7026');
    expect(outcome(await change({ old: testPassword, password: 'another password 1' }))).toBe('200');
    expect(outcome(await whoami(other))).toBe('401 NOVA8310');
    expect(outcome(await login('operator', testPassword))).toBe('401 NOVA8312');
    expect(outcome(await login('operator', 'another password 1'))).toBe('200');
    const [third = ''] =
      (
        await universe.send('/api/v1/session', {
          method: 'POST',
          body: { user: 'operator', password: 'another password 1' },
        })
      ).headers['set-cookie'] ?? [];
    await universe.universe.parts.journal.db
      .updateTable('sessions')
      .set({ expires_at: Date.now() - 1 })
      .execute();
    expect(outcome(await whoami(third.split(';')[0] ?? ''))).toBe('401 NOVA8310');
  });

  test('a login link works once, and for a short time', async () => {
    const viewer = await universe.token('viewer');
    const make = async (token: string, body: object = {}) => (await call('POST', '/login-links', body, token)).json;
    const enter = (code: unknown) => universe.send('/api/v1/session', { method: 'POST', body: { code } });
    const { code, user } = await make(viewer);
    expect(user).toBe('viewer');
    expect(JSON.stringify(await rows('login_links'))).not.toContain(code);
    expect((await enter(code)).json).toEqual({ user: 'viewer', role: 'viewer' });
    expect(outcome(await enter(code))).toBe('401 NOVA8329');
    expect(outcome(await enter('x'.repeat(43)))).toBe('401 NOVA8329');
    expect(outcome(await call('POST', '/login-links', { user: 'admin' }, viewer))).toBe('403 NOVA8311');
    expect(outcome(await call('POST', '/login-links', { user: 'nobody' }))).toBe('404 NOVA8315');
    const late = await make(viewer);
    const { db } = universe.universe.parts.journal;
    await db.updateTable('login_links').set({ expires_at: Date.now() }).execute();
    expect(outcome(await enter(late.code))).toBe('401 NOVA8329');
    const both = await make(viewer);
    const tries = await Promise.all([enter(both.code), enter(both.code), enter(both.code)]);
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('concurrent guesses are limited like sequential ones, and lock out no other address', async () => {
    // Time stands still, so no delay passes.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const guesses = await Promise.all(Array.from({ length: 30 }, () => login('viewer', 'wrong password', '127.0.0.2')));
    const counts = Object.groupBy(guesses.map(outcome), (each) => each);
    expect(counts['401 NOVA8312']).toHaveLength(5);
    expect(counts['429 NOVA8313']).toHaveLength(25);
    expect(outcome(await login('viewer', testPassword, '127.0.0.2'))).toBe('429 NOVA8313');
    expect(outcome(await login('viewer', testPassword, '127.0.0.3'))).toBe('200');
    const changes = await Promise.all(
      Array.from({ length: 10 }, () =>
        universe.send('/api/v1/password', {
          method: 'POST',
          token: admin,
          body: { old: 'wrong', password: testPassword },
          from: '127.0.0.4',
        }),
      ),
    );
    expect(changes.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('unusual names are refused like others', async () => {
    for (const user of ['\0', 'a\0b', '\ud800', "' or 1=1 --", '', '🦊'.repeat(15)]) {
      const { status } = await login(user, testPassword, '127.0.0.5');
      expect([401, 422, 429]).toContain(status);
    }
    expect(outcome(await login('x'.repeat(64), testPassword, '127.0.0.5'))).toBe('422 NOVA7026');
  });
});

test('response times do not reveal whether a user exists', async () => {
  const universe = await startTestUniverse();
  await universe.token('viewer');
  const { users } = universe.universe.parts;
  const time = async (name: string, address: string) => {
    const start = performance.now();
    await users.login(name, 'wrong password', address).catch(() => undefined);
    return performance.now() - start;
  };
  const times: Record<'viewer' | 'nobody', number[]> = { viewer: [], nobody: [] };
  for (let round = 0; round < 15; round += 1) {
    times.viewer.push(await time('viewer', `a${round}`));
    times.nobody.push(await time('nobody', `b${round}`));
  }
  const median = (of: number[]) => of.toSorted((a, b) => a - b)[7] ?? 0;
  const ratio = median(times.viewer) / median(times.nobody);
  expect(ratio).toBeGreaterThan(0.6);
  expect(ratio).toBeLessThan(1.6);
  await universe.close();
});
