import { request } from 'node:https';
import { eachStore } from '@nova-platform/store/testing';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loseStore } from '../testing/store.ts';
import { documentsOf, eventually, startTestUniverse, type TestUniverse, testPassword } from '../testing/universe.ts';

// Others may be at work on the same machine.
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
    universe.ask(`/api/v1${path}`, { method, token, ...(body && { body }) });
  /** What was added meanwhile, the oldest first. */
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

  test('every change is in it, with who, where, what and its outcome', async () => {
    const trail = await trailOf(async () => {
      await call('POST', '/users', { name: 'ann', role: 'viewer', password: testPassword });
      await call('POST', '/users', { name: 'ann', role: 'viewer', password: testPassword });
      await call('POST', '/users', { name: 'ann' });
      await call('PATCH', '/users/ann', { password: 'a new password 1' });
      await call('POST', '/login', { user: 'ann', password: 'a new password 1' }, '');
      await call('POST', '/login', { user: 'ann', password: 'wrong' }, '');
      await universe.ask('/api/v1/login', { method: 'POST', body: { user: 'nobody', password: 'wrong' } });
      await call('POST', '/access-tokens', { name: 'ci', role: 'viewer', seconds: 600 });
      await call('PUT', '/clusters/demo', { documents: documentsOf('demo') });
      await call('POST', '/tokens', { node: 'demo-main-1', lifetimeSeconds: 60 });
      await call('POST', '/nodes/demo-main-9/revoke');
      await call('DELETE', '/users/ann');
      await universe.local.createUser({ body: { name: 'ben', role: 'viewer' } });
    });
    expect(trail).toEqual([
      'admin 127.0.0.1 createUser /api/v1/users 200',
      'admin 127.0.0.1 createUser /api/v1/users 409',
      'admin 127.0.0.1 createUser /api/v1/users 422',
      'admin 127.0.0.1 changeUser /api/v1/users/ann 200',
      'ann 127.0.0.1 login /api/v1/login 200',
      'ann 127.0.0.1 login /api/v1/login 401',
      'nobody 127.0.0.1 login /api/v1/login 401',
      'admin 127.0.0.1 createAccessToken /api/v1/access-tokens 200',
      'admin 127.0.0.1 declareCluster /api/v1/clusters/demo 200',
      'admin 127.0.0.1 createToken /api/v1/tokens 200',
      'admin 127.0.0.1 revokeNode /api/v1/nodes/demo-main-9/revoke 404',
      'admin 127.0.0.1 removeUser /api/v1/users/ann 200',
      'local local createUser /api/v1/users 200',
    ]);
  });

  test('what somebody was refused is in it; what was only looked at, and strangers, are not', async () => {
    const { identity } = await universe.enrolled('stranger');
    const trail = await trailOf(async () => {
      await call('GET', '/users', undefined, viewer);
      await call('DELETE', '/users/admin', undefined, viewer);
      await universe.ask('/api/v1/clusters/demo', { identity });
      await call('GET', '/clusters', undefined, viewer);
      await call('DELETE', '/users/admin', undefined, 'garbage');
      await call('POST', '/nowhere', {}, viewer);
    });
    expect(trail).toEqual([
      'viewer 127.0.0.1 listUsers /api/v1/users 403',
      'viewer 127.0.0.1 removeUser /api/v1/users/admin 403',
      'node/stranger 127.0.0.1 showCluster /api/v1/clusters/demo 403',
    ]);
  });

  test('answers that are sent as they come are in it before they begin', async () => {
    const agent = await universe.enrolled('demo-main-1');
    const trail = await trailOf(async () => {
      const run = universe.ask('/api/v1/nodes/demo-main-1/run', {
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
      'admin 127.0.0.1 runAgent /api/v1/nodes/demo-main-1/run 202',
      'admin 127.0.0.1 runAgent /api/v1/nodes/demo-main-1/run 422',
    ]);
  });

  test('who leaves before the answer leaves a trace', async () => {
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
    expect(trail).toEqual(Array.from({ length: 12 }, () => 'admin 127.0.0.1 createUser /api/v1/users 200'));
  });

  test('whoever is told to wait fills no disk', async () => {
    const trail = await trailOf(async () => {
      const guesses = Array.from({ length: 40 }, (_, index) => ({ user: `user-${index}`, password: 'wrong' }));
      await Promise.all(
        guesses.map((body) => universe.ask('/api/v1/login', { method: 'POST', body, from: '127.0.0.9' })),
      );
    });
    expect(trail.length).toBeLessThan(25);
  });

  test('asking what documents mean changes nothing and is not written down; being refused is', async () => {
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
    expect(trail).toEqual(['viewer 127.0.0.1 checkDocuments /api/v1/documents/check 403']);
  });

  test('nothing in it is secret', async () => {
    const documents = documentsOf('demo', { proxyPassword: 'hidden-proxy-password' });
    await eventually(async () => (await call('PUT', '/clusters/demo', { documents })).status === 200);
    await call('POST', '/login?password=hidden-in-a-query', { user: 'admin', password: 'hidden-password' });
    await call('GET', `/users?token=${admin}`, undefined, viewer);
    const { entries } = await universe.local.listAudit({ query: { limit: 500 } });
    expect(JSON.stringify(entries)).not.toMatch(/hidden|nova_/);
    expect(universe.log()).not.toMatch(/hidden-|nova_[a-z0-9]{12}/);
  });

  test('the store itself refuses to change it', async () => {
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

  test('a change that cannot be written down is not acknowledged', async () => {
    const { db } = universe.universe.parts.journal;
    const { audit } = universe.universe.parts;
    vi.spyOn(audit, 'add').mockRejectedValueOnce(new Error('the disk is full'));
    const { status, json } = await call('POST', '/users', { name: 'unsaid', role: 'viewer' });
    expect([status, json.code]).toEqual([500, 'NOVA9002']);
    // And the other way round: what is not done is not acknowledged either.
    loseStore(db, { count: 2, isKept: false });
    expect((await call('POST', '/users', { name: 'undone', role: 'viewer' })).status).toBe(500);
    vi.restoreAllMocks();
    const names = (await universe.local.listUsers({})).users.map(({ name }) => name);
    expect(names).not.toContain('undone');
  });

  test('it is read by pages and by people, and every entry once while others are added', async () => {
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
