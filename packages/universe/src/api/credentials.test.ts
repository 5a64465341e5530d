import { eachStore } from '@nova-platform/store/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Answer, startTestUniverse, type TestUniverse, testPassword } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const outcome = ({ status, json }: Answer) => `${status} ${json.code ?? ''}`.trim();
const year = 365 * 24 * 3600;

interface Made {
  token: string;
  created: { id: string; expiresAt: string };
}

/** Credentials that are created with other credentials. */
eachStore('credentials', (open) => {
  let universe: TestUniverse;
  let people = 0;
  beforeAll(async () => {
    universe = await startTestUniverse({ store: await open() });
    await universe.token('admin');
  });
  afterAll(() => universe.close());

  const call = (method: string, path: string, token: string, body?: object) =>
    universe.send(`/api/v1${path}`, { method, token, ...(body && { body }) });
  const whoami = (token: string) => universe.send('/api/v1/whoami', { token });

  /** A new user, and a token that root created for the user. */
  async function person(role: 'viewer' | 'operator' | 'admin') {
    people += 1;
    const name = `person-${people}`;
    await universe.local.createUser({ body: { name, role, password: testPassword } });
    return { name, ...(await tokenFor(name, role)) };
  }
  async function tokenFor(user: string, role: 'viewer' | 'operator' | 'admin', seconds = 3600) {
    const { token, created } = await universe.local.createAccessToken({ body: { name: 'x', role, seconds, user } });
    return { token, id: created.id };
  }
  async function logIn(user: string): Promise<string> {
    const { json } = await universe.send('/api/v1/login', { method: 'POST', body: { user, password: testPassword } });
    return String(json.token);
  }
  const make = async (token: string, role: string, seconds = 600, more: object = {}) =>
    (await call('POST', '/access-tokens', token, { name: 'made', role, seconds, ...more })).json as unknown as Made;
  const link = async (token: string, body: object = {}) => (await call('POST', '/login-links', token, body)).json;

  /** The permissions of a browser session. */
  async function browser(body: object) {
    const started = await universe.send('/api/v1/session', { method: 'POST', body });
    const [header = ''] = started.headers['set-cookie'] ?? [];
    const headers = { cookie: header.split(';')[0] ?? '', origin: `https://127.0.0.1:${universe.port}` };
    return {
      started,
      seconds: Number(/Max-Age=(\d+)/.exec(header)?.[1]),
      send: (path: string, asked: { method?: string; body?: object } = {}) =>
        universe.send(`/api/v1${path}`, { ...asked, headers }),
    };
  }
  const enter = async (token: string) => browser({ code: (await link(token)).code });

  test('a session has the role of the token that created its login link', async () => {
    const { name } = await person('admin');
    const { token: reduced } = await tokenFor(name, 'viewer');
    const { started, send } = await enter(reduced);
    expect(started.json).toEqual({ user: name, role: 'viewer' });
    expect((await send('/whoami')).json).toMatchObject({ user: name, role: 'viewer' });
    expect(outcome(await send('/users'))).toBe('403 NOVA8311');
    // The session cannot create a credential with a higher role.
    const body = { name: 'greater', role: 'admin', seconds: 60 };
    expect(outcome(await send('/access-tokens', { method: 'POST', body }))).toBe('403 NOVA8318');
    const again = (await send('/login-links', { method: 'POST', body: {} })).json;
    expect((await browser({ code: again.code })).started.json).toEqual({ user: name, role: 'viewer' });
  });

  test('links and sessions end with the token that created them', async () => {
    const { token, id } = await person('operator');
    const { code } = await link(token);
    const { send } = await enter(token);
    const second = await browser({ code: (await send('/login-links', { method: 'POST', body: {} })).json.code });
    const made = (await send('/access-tokens', { method: 'POST', body: { name: 'x', role: 'viewer', seconds: 60 } }))
      .json as unknown as Made;
    expect((await second.send('/whoami')).status).toBe(200);
    expect((await whoami(made.token)).status).toBe(200);
    await universe.sendLocally(`/api/v1/access-tokens/${id}`, { method: 'DELETE' });
    expect(outcome(await send('/whoami'))).toBe('401 NOVA8310');
    expect(outcome(await second.send('/whoami'))).toBe('401 NOVA8310');
    expect(outcome(await whoami(made.token))).toBe('401 NOVA8310');
    expect(outcome((await browser({ code })).started)).toBe('401 NOVA8329');
  });

  test('links, sessions and tokens expire no later than the token that created them', async () => {
    const { name } = await person('operator');
    const { token } = await tokenFor(name, 'operator', 600);
    const end = Date.now() + 600_000;
    const { expiresAt } = await link(token);
    expect(Date.parse(String(expiresAt))).toBeLessThanOrEqual(end);
    const { seconds, send } = await enter(token);
    expect(seconds).toBeLessThanOrEqual(600);
    const long = { name: 'long', role: 'viewer', seconds: 10 * year };
    expect(outcome(await call('POST', '/access-tokens', token, long))).toBe('403 NOVA8421');
    expect(outcome(await send('/access-tokens', { method: 'POST', body: long }))).toBe('403 NOVA8421');
    // The default lifetime is the longest possible one.
    const unsaid = (await call('POST', '/access-tokens', token, { name: 'x', role: 'viewer' })).json;
    expect(Date.parse((unsaid as unknown as Made).created.expiresAt)).toBeLessThanOrEqual(end);
    const { created } = await make(token, 'viewer', 500);
    expect(Date.parse(created.expiresAt)).toBeLessThanOrEqual(end);
    // A session from a password is short, but does not limit the tokens that it creates.
    const own = await browser({ user: name, password: testPassword });
    expect((await own.send('/access-tokens', { method: 'POST', body: long })).status).toBe(200);
  });

  test('a revoked token ends all its descendants, and no other credentials', async () => {
    const { name, token, id } = await person('admin');
    const other = await tokenFor(name, 'admin');
    const child = await make(token, 'operator');
    const grandchild = await make(child.token, 'viewer', 300);
    const foreign = await make(token, 'admin', 600, { user: 'admin' });
    for (const each of [child, grandchild, foreign]) expect((await whoami(each.token)).status).toBe(200);
    expect(outcome(await call('DELETE', `/access-tokens/${id}`, token))).toBe('200');
    for (const each of [child, grandchild, foreign]) expect(outcome(await whoami(each.token))).toBe('401 NOVA8310');
    expect((await whoami(other.token)).status).toBe(200);
  });

  test('a reduced token cannot revoke a token of a higher role', async () => {
    const { name, id } = await person('operator');
    const reduced = await tokenFor(name, 'viewer');
    expect(outcome(await call('DELETE', `/access-tokens/${id}`, reduced.token))).toBe('403 NOVA8311');
    expect(outcome(await call('DELETE', `/access-tokens/${reduced.id}`, reduced.token))).toBe('200');
  });

  test.for(['by its owner', 'by an administrator'])(
    'a password changed %s ends the credentials created with it',
    async (by) => {
      const { name, token: roots } = await person('operator');
      const login = await logIn(name);
      const child = await make(login, 'viewer');
      const grandchild = await make(child.token, 'viewer', 300);
      const own = await browser({ user: name, password: testPassword });
      const inBrowser = (await own
        .send('/access-tokens', {
          method: 'POST',
          body: { name: 'x', role: 'viewer', seconds: year },
        })
        .then(({ json }) => json)) as unknown as Made;
      const entered = await enter(child.token);
      const links = [(await link(login)).code, (await universe.local.createLoginLink({ body: { user: name } })).code];
      const rootsLink = await browser({ code: (await universe.local.createLoginLink({ body: { user: name } })).code });
      for (const each of [login, child.token, grandchild.token, inBrowser.token])
        expect((await whoami(each)).status).toBe(200);

      const password = 'another password 1';
      const changed =
        by === 'by its owner'
          ? await call('POST', '/password', roots, { old: testPassword, password })
          : await call('PATCH', `/users/${name}`, await universe.token('admin'), { password });
      expect(changed.status).toBe(200);
      for (const each of [login, child.token, grandchild.token, inBrowser.token])
        expect(outcome(await whoami(each))).toBe('401 NOVA8310');
      for (const each of [own, entered, rootsLink]) expect(outcome(await each.send('/whoami'))).toBe('401 NOVA8310');
      for (const code of links) expect(outcome((await browser({ code })).started)).toBe('401 NOVA8329');
      // Root created this one for a program, without a password.
      expect((await whoami(roots)).status).toBe(200);
    },
  );

  test("credentials that an administrator created for others end with the administrator's role", async () => {
    for (const end of [{ role: 'operator' }, { password: 'another password 1' }, undefined]) {
      const { name } = await person('admin');
      const { name: other } = await person('viewer');
      const login = await logIn(name);
      const made = await make(login, 'viewer', 600, { user: other });
      const entered = await browser({ code: (await link(login, { user: other })).code });
      expect((await entered.send('/whoami')).json).toMatchObject({ user: other });
      const own = await make(login, 'viewer');
      await universe.sendLocally(`/api/v1/users/${name}`, {
        method: end ? 'PATCH' : 'DELETE',
        ...(end && { body: end }),
      });
      expect(outcome(await whoami(made.token))).toBe('401 NOVA8310');
      expect(outcome(await entered.send('/whoami'))).toBe('401 NOVA8310');
      if (end?.role) expect((await whoami(own.token)).status).toBe(200);
    }
  });
});
