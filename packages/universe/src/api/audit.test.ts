import { request } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { loseStore } from '@nova-platform/operations/testing';
import { eachStore } from '@nova-platform/store/testing';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { documentsOf, eventually, startTestUniverse, type TestUniverse, testPassword } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

eachStore('the audit trail', (open) => {
  let universe: TestUniverse;
  let admin: string;
  let viewer: string;
  beforeAll(async () => {
    universe = await startTestUniverse({ store: await open() });
    admin = await universe.token('admin');
    viewer = await universe.token('viewer');
  });
  afterAll(() => universe.close());
  afterEach(() => vi.restoreAllMocks());

  const call = (method: string, path: string, body?: object, token: string | undefined = admin) =>
    universe.send(`/api/v1${path}`, { method, token, ...(body && { body }) });
  /** The entries that `work` adds, the oldest first. */
  async function trailOf(work: () => Promise<unknown>): Promise<string[]> {
    const newest = async () => (await universe.local.listAudit({ query: { limit: 1 } })).entries[0]?.id ?? 0;
    const before = await newest();
    await work();
    const { entries } = await universe.local.listAudit({ query: { limit: 500 } });
    return entries
      .filter(({ id }) => id > before)
      .map(({ who, from, action, target, outcome }) => `${who} ${from} ${action} ${target} ${outcome}`)
      .toReversed();
  }
  /** The entries themselves, the oldest first. */
  async function entriesOf(work: () => Promise<unknown>) {
    const newest = async () => (await universe.local.listAudit({ query: { limit: 1 } })).entries[0]?.id ?? 0;
    const before = await newest();
    await work();
    const { entries } = await universe.local.listAudit({ query: { limit: 500 } });
    return entries.filter(({ id }) => id > before).toReversed();
  }
  /** Each change as `field: before → after`. */
  const changesOf = ({ changes = [] }: { changes?: { field: string; before?: string; after?: string }[] }) =>
    changes.map(({ field, before = '', after = '' }) => `${field}: ${before} → ${after}`);

  test('contains every change with its user, address, action, target and outcome', async () => {
    const trail = await trailOf(async () => {
      await call('POST', '/users', { name: 'ann', role: 'viewer', password: testPassword });
      await call('POST', '/users', { name: 'ann', role: 'viewer', password: testPassword });
      await call('POST', '/users', { name: 'ann' });
      await call('PATCH', '/users/ann', { password: 'a new password 1' });
      await call('POST', '/login', { user: 'ann', password: 'a new password 1' }, '');
      await call('POST', '/login', { user: 'ann', password: 'wrong' }, '');
      await universe.send('/api/v1/login', { method: 'POST', body: { user: 'nobody', password: 'wrong' } });
      await call('POST', '/access-tokens', { name: 'ci', role: 'viewer', seconds: 600 });
      await call('PUT', '/clusters/demo', { documents: documentsOf('demo') });
      await call('POST', '/tokens', { node: 'demo-main-1', lifetimeSeconds: 60 });
      await call('POST', '/nodes/demo-main-9/revoke');
      await call('DELETE', '/users/ann');
      await universe.local.createUser({ body: { name: 'ben', role: 'viewer' } });
    });
    expect(trail).toEqual([
      'admin 127.0.0.1 createUser users/ann 200',
      'admin 127.0.0.1 createUser users/ann 409',
      'admin 127.0.0.1 createUser users/ann 422',
      'admin 127.0.0.1 changeUser users/ann 200',
      'ann 127.0.0.1 login users/ann 200',
      'ann 127.0.0.1 login users/ann 401',
      'nobody 127.0.0.1 login users/nobody 401',
      expect.stringMatching(/^admin 127.0.0.1 createAccessToken access-tokens\/[a-z2-7]{12} 200$/),
      'admin 127.0.0.1 declareCluster clusters/demo 200',
      'admin 127.0.0.1 createToken nodes/demo-main-1 200',
      'admin 127.0.0.1 revokeNode nodes/demo-main-9/revoke 404',
      'admin 127.0.0.1 removeUser users/ann 200',
      'local local createUser users/ben 200',
    ]);
  });

  test('contains refused requests of users, but neither reads nor anonymous requests', async () => {
    const { identity } = await universe.enrolled('stranger');
    const trail = await trailOf(async () => {
      await call('GET', '/users', undefined, viewer);
      await call('DELETE', '/users/admin', undefined, viewer);
      await universe.send('/api/v1/clusters/demo', { identity });
      await call('GET', '/clusters', undefined, viewer);
      await call('DELETE', '/users/admin', undefined, 'garbage');
      await call('POST', '/nowhere', {}, viewer);
    });
    expect(trail).toEqual([
      'viewer 127.0.0.1 listUsers users 403',
      'viewer 127.0.0.1 removeUser users/admin 403',
      'node/stranger 127.0.0.1 showCluster clusters/demo 403',
    ]);
  });

  test('names the credential: token, session, password, link, certificate or socket', async () => {
    await call('POST', '/users', { name: 'cleo', role: 'operator', password: testPassword });
    const { token, created } = await universe.local.createAccessToken({
      body: { name: 'robot', role: 'operator', seconds: 600, user: 'cleo' },
    });
    const { identity } = await universe.enrolled('credible');
    const refused = { method: 'DELETE' };
    const entries = await entriesOf(async () => {
      await universe.send('/api/v1/users/admin', { ...refused, token });
      await universe.send('/api/v1/users/admin', { ...refused, identity });
      await call('POST', '/login', { user: 'cleo', password: 'wrong' }, '');
      const { code } = (await call('POST', '/login-links', {}, token)).json;
      const started = await universe.send('/api/v1/session', { method: 'POST', body: { code } });
      const cookie = started.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      const headers = { cookie, origin: `https://127.0.0.1:${universe.port}` };
      await universe.send('/api/v1/users/admin', { ...refused, headers });
      await universe.local.changeUser({ params: { user: 'cleo' }, body: {} });
    });
    expect(entries.map(({ who, action, credential }) => `${who} ${action} ${credential}`)).toEqual([
      `cleo removeUser token ${created.id} (robot)`,
      expect.stringMatching(/^node\/credible removeUser certificate [0-9A-F]+$/),
      'cleo login password',
      `cleo createLoginLink token ${created.id} (robot)`,
      'cleo startSession link',
      expect.stringMatching(/^cleo removeUser session [0-9a-f]{12}$/),
      'local changeUser socket',
    ]);
  });

  test('contains the changed fields, without secrets', async () => {
    const documents = documentsOf('changing', { network: '10.20.70.0/24', proxyPassword: 'hidden-1' });
    const more = documentsOf('changing', { network: '10.20.70.0/24', proxyPassword: 'hidden-2', workers: 2 });
    let id = '';
    const declared = async (text: string) =>
      eventually(async () => (await call('PUT', '/clusters/changing', { documents: text })).status === 200);
    await declared(documents);
    const entries = await entriesOf(async () => {
      await call('POST', '/users', { name: 'dora', role: 'viewer', password: 'hidden password 1' });
      await call('PATCH', '/users/dora', { role: 'operator', password: 'hidden password 2' });
      await call('PATCH', '/users/dora', { role: 'admin', password: 'short' });
      const made = (await call('POST', '/access-tokens', { name: 'ci', role: 'viewer', seconds: 600, user: 'dora' }))
        .json as unknown as { created: { id: string } };
      ({ id } = made.created);
      await call('DELETE', `/access-tokens/${id}`);
      await call('DELETE', '/users/dora');
      await call('POST', '/tokens', { node: 'changing-main-1', lifetimeSeconds: 60 });
    });
    expect(entries.map((entry) => [`${entry.action} ${entry.target}`, ...changesOf(entry)])).toEqual([
      ['createUser users/dora', 'role:  → viewer', 'password:  → ******'],
      ['changeUser users/dora', 'role: viewer → operator', 'password: ****** → ******'],
      ['changeUser users/dora'],
      [
        `createAccessToken access-tokens/${id}`,
        'user:  → dora',
        'name:  → ci',
        'role:  → viewer',
        expect.stringMatching(/^expiresAt: {2}→ 20\d\d-/),
      ],
      [
        `removeToken access-tokens/${id}`,
        'user: dora → ',
        'name: ci → ',
        'role: viewer → ',
        expect.stringMatching(/^expiresAt: 20.* → $/),
      ],
      ['removeUser users/dora', 'role: operator → '],
      ['createToken nodes/changing-main-1', 'lifetimeSeconds:  → 60'],
    ]);
    const [declaration] = (await entriesOf(() => declared(more))).filter(({ outcome }) => outcome === 200);
    expect(declaration && changesOf(declaration)).toEqual([
      'Infrastructure.spec.nodeGroups[1].name:  → work',
      'Infrastructure.spec.nodeGroups[1].roles[0]:  → worker',
      'Infrastructure.spec.nodeGroups[1].count:  → 2',
      'Proxy.spec.httpProxy.password: ****** → ******',
      'Proxy.spec.httpsProxy.password: ****** → ******',
      expect.stringMatching(/^operation: {2}→ \d+$/),
    ]);
    const all = await universe.local.listAudit({ query: { limit: 500 } });
    expect(JSON.stringify(all)).not.toMatch(/hidden/);
  });

  test('contains the fields that differ from the revision that a declaration replaced', async () => {
    const { clusters, changes, operations } = universe.universe.parts;
    const idle = async () => {
      const list = await universe.local.listOperations({ query: { cluster: 'racing' } });
      for (const { id } of list.operations) await operations.ended(id);
    };
    const network = '10.20.71.0/24';
    const declareOther = (documents: string) =>
      changes.declare('racing', documents, { digest: undefined, seen: undefined, by: 'other' });
    await declareOther(documentsOf('racing', { network, workers: 1 }));
    await idle();
    // Another declaration comes first, and its operation ends before this one is planned.
    const other = documentsOf('racing', { network, workers: 2 });
    const documents = documentsOf('racing', { network, workers: 2, proxyPassword: 'hidden-3' });
    const isSent = Promise.withResolvers<void>();
    const read = clusters.read.bind(clusters);
    const unmasked = clusters.unmasked.bind(clusters);
    vi.spyOn(clusters, 'unmasked').mockImplementation((...asked) => {
      isSent.resolve();
      return unmasked(...asked);
    });
    vi.spyOn(clusters, 'read').mockImplementation(async (name, text) => {
      await (text === other ? isSent.promise : idle());
      return read(name, text);
    });
    const [entry] = await entriesOf(() =>
      Promise.all([declareOther(other), call('PUT', '/clusters/racing', { documents })]),
    );
    vi.restoreAllMocks();
    expect(entry && changesOf(entry)).toEqual([
      ...['httpProxy', 'httpsProxy'].flatMap((proxy) => [
        expect.stringMatching(`^Proxy.spec.${proxy}.server:  → `),
        expect.stringMatching(`^Proxy.spec.${proxy}.port:  → `),
        expect.stringMatching(`^Proxy.spec.${proxy}.username:  → `),
        `Proxy.spec.${proxy}.password:  → ******`,
      ]),
      expect.stringMatching(/^operation: {2}→ \d+$/),
    ]);
  });

  test('contains streamed responses before they begin', async () => {
    const agent = await universe.enrolled('demo-main-1');
    const trail = await trailOf(async () => {
      const run = universe.send('/api/v1/nodes/demo-main-1/run', {
        method: 'POST',
        token: admin,
        body: { isNoop: true },
      });
      const { id } = await agent.order(5);
      const log = agent.openLog(id);
      log.write('exit 0\n');
      await log.end();
      await run;
      await call('POST', '/nodes/demo-main-1/run', {});
    });
    expect(trail).toEqual([
      'admin 127.0.0.1 runAgent nodes/demo-main-1/run 202',
      'admin 127.0.0.1 runAgent nodes/demo-main-1/run 422',
    ]);
  });

  test('contains requests whose client disconnects before the response', async () => {
    const { users } = universe.universe.parts;
    const create = vi.spyOn(users, 'create');
    const entries = async () => (await universe.local.listAudit({ query: { limit: 500 } })).entries.length;
    const before = await entries();
    const trail = await trailOf(async () => {
      for (let index = 0; index < 12; index += 1) {
        const outgoing = request({
          ...universe.connection(admin),
          agent: false,
          method: 'POST',
          path: '/api/v1/users',
        });
        outgoing.on('error', () => undefined).setHeader('content-type', 'application/json');
        outgoing.end(JSON.stringify({ name: `left-${index}`, role: 'viewer', password: testPassword }));
        await eventually(() => create.mock.calls.length === index + 1);
        outgoing.destroy();
      }
      await Promise.all(create.mock.results.map(({ value }) => value as Promise<void>));
      await eventually(async () => (await entries()) >= before + 12);
    });
    // Passwords are hashed in parallel and finish in any order.
    expect(trail.toSorted()).toEqual(
      Array.from({ length: 12 }, (_, index) => `admin 127.0.0.1 createUser users/left-${index} 200`).toSorted(),
    );
  });

  test('does not grow with rate-limited logins', async () => {
    const trail = await trailOf(async () => {
      const guesses = Array.from({ length: 40 }, (_, index) => ({ user: `user-${index}`, password: 'wrong' }));
      await Promise.all(
        guesses.map((body) => universe.send('/api/v1/login', { method: 'POST', body, from: '127.0.0.9' })),
      );
    });
    expect(trail.length).toBeLessThan(25);
  });

  test('contains refused document checks, but no successful ones', async () => {
    const body = { documents: documentsOf('asked', { network: '10.20.99.0/24' }) };
    const wrong = { documents: 'kind: Nothing' };
    const trail = await trailOf(async () => {
      expect((await call('POST', '/documents/check', body)).json).toMatchObject({
        problems: [],
        plan: { planVersion: 1 },
      });
      const { json } = await call('POST', '/documents/check', wrong);
      expect(json.problems).toMatchObject([{ code: 'NOVA2005', place: { line: 1 } }]);
      expect((await call('POST', '/documents/check', body, viewer)).status).toBe(403);
    });
    expect(trail).toEqual(['viewer 127.0.0.1 checkDocuments documents/check 403']);
  });

  test('contains no secrets', async () => {
    const documents = documentsOf('demo', { proxyPassword: 'hidden-proxy-password' });
    await eventually(async () => (await call('PUT', '/clusters/demo', { documents })).status === 200);
    await call('POST', '/login?password=hidden-in-a-query', { user: 'admin', password: 'hidden-password' });
    await call('GET', `/users?token=${admin}`, undefined, viewer);
    const { entries } = await universe.local.listAudit({ query: { limit: 500 } });
    expect(JSON.stringify(entries)).not.toMatch(/hidden|nova_[a-z0-9]{12}/);
    expect(universe.log()).not.toMatch(/hidden-|nova_[a-z0-9]{12}/);
  });

  test('is append-only in the store itself', async () => {
    const { db } = universe.universe.parts.journal;
    const before = (await universe.local.listAudit({ query: { limit: 500 } })).entries;
    for (const statement of [
      sql`update audit set who = 'nobody'`,
      sql`update audit set outcome = 200 where id = 1`,
      sql`delete from audit`,
      sql`delete from audit where id = 1`,
    ]) {
      await expect(statement.execute(db)).rejects.toThrow('only added to');
    }
    expect((await universe.local.listAudit({ query: { limit: 500 } })).entries).toEqual(before);
  });

  test('a change without an audit entry is not acknowledged', async () => {
    const { db } = universe.universe.parts.journal;
    const { audit } = universe.universe.parts;
    vi.spyOn(audit, 'add').mockRejectedValueOnce(new Error('the disk is full'));
    const { status, json } = await call('POST', '/users', { name: 'unsaid', role: 'viewer' });
    expect([status, json.code]).toEqual([500, 'NOVA9002']);
    // Conversely, a change that failed is not acknowledged.
    loseStore(db, { count: 2, isKept: false });
    expect((await call('POST', '/users', { name: 'undone', role: 'viewer' })).status).toBe(500);
    vi.restoreAllMocks();
    const names = (await universe.local.listUsers({})).users.map(({ name }) => name);
    expect(names).not.toContain('undone');
  });

  test('is filtered by action, object and time', async () => {
    await call('POST', '/users', { name: 'filter', role: 'viewer' });
    const since = new Date(Date.now() + 1).toISOString();
    await setTimeout(5);
    await call('PATCH', '/users/filter', { role: 'operator' });
    const found = async (query: object) =>
      (await universe.local.listAudit({ query: { limit: 500, ...query } })).entries
        .filter(({ target }) => /fil.?ter/.test(target))
        .map(({ action, target }) => `${action} ${target}`);
    const created = 'createUser users/filter';
    const changed = 'changeUser users/filter';
    expect(await found({ target: 'filter' })).toEqual([changed, created]);
    expect(await found({ target: 'filter', action: 'createUser' })).toEqual([created]);
    expect(await found({ target: 'filter', since })).toEqual([changed]);
    // Characters with a meaning in SQL are plain text.
    expect(await found({ target: 'fil%' })).toEqual([]);
  });

  test('is read in pages and by user, each entry once while others are added', async () => {
    const seen: number[] = [];
    let before: number | undefined;
    for (;;) {
      const page = await universe.local.listAudit({ query: { limit: 7, ...(before !== undefined && { before }) } });
      seen.push(...page.entries.map(({ id }) => id));
      await call('PATCH', '/users/viewer', {});
      if (page.next === undefined) break;
      before = page.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.toSorted((a, b) => b - a)).toEqual(seen);
    const rows = await universe.universe.parts.journal.db.selectFrom('audit').select('id').execute();
    expect(rows.filter(({ id }) => id <= (seen[0] ?? 0)).length).toBe(seen.length);
    const { entries } = await universe.local.listAudit({ query: { who: 'viewer' } });
    expect(new Set(entries.map(({ who }) => who))).toEqual(new Set(['viewer']));
  });
});
