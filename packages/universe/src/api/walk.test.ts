import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { ReleaseAccess } from '@nova-platform/cluster';
import { configContract } from '@nova-platform/contracts/config-manager';
import { universeContract } from '@nova-platform/contracts/universe';
import type { Access } from '@nova-platform/http';
import type { StoreLocation } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { socket } from '../access/credential.ts';
import { type Identity, nameOf } from '../access/roles.ts';
import { documentsOf, type SendOptions, startTestUniverse, type TestUniverse } from '../testing/universe.ts';
import { createApi } from './server.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; requestBody?: object }>>;
}

interface Call {
  method: string;
  path: string;
  access: Access;
  /** The cluster that owns the resource. */
  cluster?: string;
  body?: object;
}

/** Calls that are in no contract. */
const others: Record<string, Access> = {
  followEvents: 'viewer',
  openScreen: 'operator',
  openSerialConsole: 'operator',
};
const hidden: Call[] = [
  { method: 'GET', path: '/api/v1/openapi.json', access: 'anyone' },
  { method: 'GET', path: '/git/release.git/info/refs?service=git-upload-pack', access: 'release' },
  { method: 'GET', path: '/git/alpha.git/info/refs?service=git-upload-pack', access: 'node', cluster: 'alpha' },
  { method: 'POST', path: '/git/alpha.git/git-upload-pack', access: 'node', cluster: 'alpha' },
  { method: 'GET', path: '/v2/', access: 'viewer' },
  { method: 'HEAD', path: '/v2/a/blobs/sha256:0', access: 'viewer' },
  { method: 'GET', path: '/v2/a/manifests/1', access: 'viewer' },
  { method: 'POST', path: '/v2/a/blobs/uploads/', access: 'operator' },
  { method: 'PATCH', path: '/v2/a/blobs/uploads/1', access: 'operator' },
  { method: 'PUT', path: '/v2/a/manifests/1', access: 'operator' },
  { method: 'DELETE', path: '/v2/a/manifests/1', access: 'operator' },
  { method: 'GET', path: '/metrics', access: 'viewer' },
];
const examples: Record<string, string> = {
  cluster: 'alpha',
  id: '4711',
  user: 'nobody',
  name: 'alpha-main-1',
  node: 'alpha-main-1',
  tenant: 'team-a',
  machine: 'web',
  network: 'lab',
  disk: 'data',
  snapshot: 'before',
  template: 'base',
  release: '0.1.0',
};

/** All calls of the API: documented and undocumented ones. */
async function allCalls({ send }: TestUniverse): Promise<Call[]> {
  const { paths } = (await send('/api/v1/openapi.json')).json as unknown as Document;
  const contracts: Record<string, { access: Access }> = { ...configContract, ...universeContract };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, requestBody }]): Call => {
      const access = contracts[operationId]?.access ?? others[operationId];
      if (!access) throw new Error(`${operationId} has no declared access`);
      return {
        method: method.toUpperCase(),
        path: path.replace(/\{(\w+)\}/g, (_whole, name: string) => examples[name] ?? `no example of ${name}`),
        access,
        ...(path.includes('{cluster}') && { cluster: 'alpha' }),
        ...(requestBody && { body: {} }),
      };
    }),
  );
  expect(described.length).toBeGreaterThan(40);
  return [...described, ...hidden];
}

/** The outcome of a call; does not wait for the end of a stream. */
function outcomeOf(universe: TestUniverse, agent: Agent, call: Call, token: string | undefined): Promise<string> {
  const { method, path, body } = call;
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...universe.connection(token), agent, method, path }, async (response) => {
      const { statusCode = 0 } = response;
      const isEndless = response.headers['content-type'] === 'text/event-stream';
      const said = isEndless ? '' : await text(response).catch(() => '');
      if (isEndless) outgoing.destroy();
      resolve(`${statusCode} ${/"code":"(NOVA\d+)"/.exec(said)?.[1] ?? ''}`.trim());
    }).once('error', reject);
    if (body) outgoing.setHeader('content-type', 'application/json');
    outgoing.end(body && JSON.stringify(body));
  });
}

const passes: Record<string, readonly Access[]> = {
  viewer: ['anyone', 'release', 'node', 'viewer'],
  operator: ['anyone', 'release', 'node', 'viewer', 'operator'],
};

/** The expected refusal; undefined if the call is allowed. */
function refusalOf(identity: Identity | undefined, { method, access, cluster }: Call): string | undefined {
  const refused = (status: number, code: string) => (method === 'HEAD' ? String(status) : `${status} ${code}`);
  if (access === 'anyone') return undefined;
  if (!identity) return refused(401, 'NOVA8310');
  if (identity.kind === 'user') return passes[identity.role]?.includes(access) ? undefined : refused(403, 'NOVA8311');
  if (access === 'release') return undefined;
  if (identity.kind === 'cluster') return refused(403, 'NOVA8323');
  const isOwn = access === 'node' && (cluster === undefined || cluster === identity.cluster);
  return isOwn ? undefined : refused(403, 'NOVA8319');
}

/** Keeps connections alive: the test is about access, not TLS. */
async function withAgent(asked: SendOptions, work: (agent: Agent) => Promise<void>): Promise<void> {
  const { key, certificate: cert } = asked.identity ?? {};
  const agent = new Agent({ keepAlive: true, ...(key !== undefined && cert !== undefined && { key, cert }) });
  await work(agent);
  agent.destroy();
}

const tables = ['operations', 'steps', 'locks', 'events', 'clusters', 'users', 'sessions', 'login_links'] as const;
const configTables = ['tokens', 'certificates', 'plans', 'nodes', 'catalogs', 'authorities'] as never[];

/** All stored data, except the last use of tokens. */
async function contentOf({ universe }: TestUniverse): Promise<string> {
  const { db } = universe.parts.journal;
  const kept: unknown[] = [];
  for (const table of [...tables, ...configTables])
    kept.push(
      await db
        .selectFrom(table as 'users')
        .selectAll()
        .execute(),
    );
  kept.push(await universe.parts.users.tokens().then((all) => all.map(({ usedAt: _usedAt, ...token }) => token)));
  return JSON.stringify(kept);
}

/** A server with two clusters. */
async function startWithClusters(store?: StoreLocation): Promise<{ universe: TestUniverse; calls: Call[] }> {
  const universe = await startTestUniverse(store && { store });
  for (const [index, cluster] of ['alpha', 'beta'].entries()) {
    const documents = documentsOf(cluster, { network: `10.${20 + index}.0.0/24` });
    const { operation } = await universe.local.declareCluster({ params: { cluster }, body: { documents } });
    await universe.universe.parts.operations.ended(operation?.id ?? 0);
  }
  return { universe, calls: await allCalls(universe) };
}

interface Walk {
  universe: TestUniverse;
  calls: Call[];
}

/** Expects the refusals, and that refused calls change nothing. */
async function assertRefusals(
  { universe, calls }: Walk,
  who: Identity | undefined,
  asked: SendOptions,
): Promise<number> {
  const refused = calls.filter((call) => refusalOf(who, call) !== undefined);
  const before = await contentOf(universe);
  await withAgent(asked, async (agent) => {
    for (const call of refused) {
      const outcome = await outcomeOf(universe, agent, call, asked.token);
      expect(`${call.method} ${call.path} ${outcome}`).toBe(`${call.method} ${call.path} ${refusalOf(who, call)}`);
    }
  });
  expect(await contentOf(universe)).toBe(before);
  return refused.length;
}

/** Expects that allowed calls are not refused; their result does not matter. */
async function assertPasses({ universe, calls }: Walk, who: Identity | undefined, asked: SendOptions): Promise<void> {
  await withAgent(asked, async (agent) => {
    // There is no engine, no registry and no Kubernetes.
    for (const call of calls.filter((each) => refusalOf(who, each) === undefined)) {
      const outcome = await outcomeOf(universe, agent, call, asked.token);
      expect(`${nameOf(who)}: ${call.method} ${call.path} ${outcome}`).not.toMatch(
        / 401| 403| 5\d\d(?! NOVA8340| NOVA8211| NOVA8360)/,
      );
    }
  });
}

eachStore('access control', (open) => {
  let walk: Walk;
  beforeAll(async () => {
    walk = await startWithClusters(await open());
  });
  afterAll(() => walk.universe.close());

  test('anonymous clients are refused', async () => {
    const garbage = ['', 'x', `nova_${'a'.repeat(12)}_${'b'.repeat(43)}`, "' or 1=1 --"];
    const isOpen = ({ access }: Call) => access === 'anyone';
    expect(await assertRefusals(walk, undefined, {})).toBe(walk.calls.length - walk.calls.filter(isOpen).length);
    for (const token of garbage) await assertRefusals(walk, undefined, { token });
    await assertPasses(walk, undefined, {});
  });

  test('expired and revoked tokens, and those of removed users, are refused', async () => {
    const { send, universe } = walk.universe;
    const { users, journal } = universe.parts;
    const admin = { kind: 'user', name: 'gone', role: 'admin', credential: socket } as const;
    await users.create('gone', 'admin', undefined);
    const token = async () => (await users.createToken(admin, { name: 'x', role: 'admin', seconds: 60 })).token;
    const [expired, taken, removed] = [await token(), await token(), await token()];
    // They are cached as valid, and still looked up every time.
    for (const each of [expired, taken, removed])
      expect((await send('/api/v1/whoami', { token: each })).status).toBe(200);
    const idOf = (of: string) => of.split('_')[1] ?? '';
    const ended = { expires_at: Date.now() - 1 };
    await journal.db.updateTable('access_tokens').set(ended).where('id', '=', idOf(expired)).execute();
    await users.removeToken(idOf(taken), admin);
    await assertRefusals(walk, undefined, { token: expired });
    await assertRefusals(walk, undefined, { token: taken });
    await users.create('other', 'admin', undefined);
    await users.remove('gone');
    await assertRefusals(walk, undefined, { token: removed });
  });
});

describe('access control', () => {
  let walk: Walk;
  beforeAll(async () => {
    walk = await startWithClusters();
  });
  afterAll(() => walk.universe.close());

  test.for(['viewer', 'operator'] as const)('a %s can make exactly the calls of the role', async (role) => {
    const token = await walk.universe.token(role);
    const identity: Identity = { kind: 'user', name: role, role, credential: socket };
    expect(await assertRefusals(walk, identity, { token })).toBeGreaterThan(5);
    await assertPasses(walk, identity, { token });
    const { operations } = await walk.universe.local.listOperations({ query: {} });
    for (const { id } of operations) await walk.universe.universe.parts.operations.ended(id);
  });

  test('Flux of a cluster reads the release and nothing else', async () => {
    const access = new ReleaseAccess(walk.universe.universe.parts.config.services.sealer);
    const identity: Identity = { kind: 'cluster', name: 'alpha' };
    const token = access.tokenFor('alpha');
    await assertRefusals(walk, identity, { token });
    await assertPasses(walk, identity, { token });
    // Tokens of an unknown cluster, expired, tampered with, and sealed for another purpose.
    const { sealer } = walk.universe.universe.parts.config.services;
    const long = new Date(Date.now() - 31 * 24 * 3600_000);
    const note = JSON.stringify({ cluster: 'alpha', expiresAt: Date.now() + 60_000 });
    for (const wrong of [
      access.tokenFor('gamma'),
      access.tokenFor('alpha', long),
      token.replace(/(?<=^.{40})./, (letter) => (letter === 'A' ? 'B' : 'A')),
      `nova-release.${sealer.seal(note, 'documents/alpha')}`,
      'nova-release.',
    ])
      await assertRefusals(walk, undefined, { token: wrong });
  });

  test('nodes read only their own cluster, and revoked nodes nothing', async () => {
    const { enrolled, localNodes } = walk.universe;
    const own = await enrolled('alpha-main-1');
    const other = await enrolled('beta-main-1');
    const unplanned = await enrolled('nobodys');
    const revoked = await enrolled('alpha-main-2');
    await localNodes.revokeNode({ params: { name: 'alpha-main-2' } });
    const node = (name: string, cluster: string | undefined): Identity => ({ kind: 'node', name, cluster, serial: '' });
    await assertRefusals(walk, node('alpha-main-1', 'alpha'), own);
    await assertPasses(walk, node('alpha-main-1', 'alpha'), own);
    await assertRefusals(walk, node('beta-main-1', 'beta'), other);
    await assertPasses(walk, node('beta-main-1', 'beta'), other);
    await assertRefusals(walk, node('nobodys', undefined), unplanned);
    await assertRefusals(walk, undefined, revoked);
    // A valid certificate does not compensate for a wrong token.
    await assertRefusals(walk, undefined, { identity: own.identity, token: 'x' });
  });
});

describe('the OpenAPI document', () => {
  let universe: TestUniverse;
  beforeAll(async () => {
    universe = await startTestUniverse();
  });
  afterAll(() => universe.close());

  test('is OpenAPI 3.1', async () => {
    const { json } = await universe.send('/api/v1/openapi.json');
    expect(json.openapi).toBe('3.1.0');
    expect(await new Validator().validate(json as Record<string, unknown>)).toEqual({ valid: true });
  });

  /** For hosts before they have an identity. */
  const hostPaths = ['ca.pem', 'join', 'clock', 'files/{name}', 'repository', 'repository*'].map(
    (path) => `/hosts/${path}`,
  );

  test('has every route, each with a declared access', async () => {
    const { paths } = (await universe.send('/api/v1/openapi.json')).json as unknown as Document;
    const api = await createApi(universe.universe.parts, undefined);
    await api.ready();
    const served: string[] = [];
    const parents: string[] = [];
    for (const line of api.printRoutes({ commonPrefix: false }).split('\n')) {
      const [, indent = '', path = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? [];
      if (path === '') continue;
      const depth = indent.length / 4;
      parents.length = depth;
      parents[depth] = path;
      const whole = parents.join('').replace(/:(\w+)/g, '{$1}');
      served.push(...methods.split(', ').map((method) => `${method} ${whole}`));
    }
    await api.close();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const isDescribed = (route: string) => route.includes(' /api/') && !/^HEAD|openapi\.json$/.test(route);
    expect(served.filter(isDescribed).toSorted()).toEqual(described.toSorted());
    const rest = new Set(served.filter((route) => !route.includes(' /api/')).map((route) => route.split(' ')[1]));
    expect(rest).toEqual(new Set(['*', '/v2/', '/v2/*', '/metrics', ...hostPaths]));
  });
});
