import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { followEvents } from '@nova-platform/contracts/universe/client';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { documentsOf, eventually, startTestUniverse, type TestUniverse } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const gibibyte = 1024 ** 3;
const registryBytes = 10 * 1024 * 1024;

let universe: TestUniverse;
let folder: string;
/** CNCF Distribution as Universe reaches it, and the socket of its service. */
let distribution: Server;
let registrySocket: Server;
let stored = { bytes: 0, freeBytes: 50 * gibibyte };
let received = 0;
const open: ClientRequest[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-limits-'));
  distribution = createServer((incoming, response) => {
    incoming.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    incoming.on('end', () => response.writeHead(202).end());
  }).listen(0, '127.0.0.1');
  await once(distribution, 'listening');
  const { port } = distribution.address() as AddressInfo;
  registrySocket = createServer((incoming, response) => {
    const access = { url: `http://127.0.0.1:${port}`, username: 'x', password: 'x' };
    response.end(JSON.stringify(incoming.url === '/v1/size' ? { ...stored, bytes: stored.bytes + received } : access));
  }).listen(join(folder, 'registry.sock'));
  universe = await startTestUniverse({
    registrySocket: join(folder, 'registry.sock'),
    limits: { nodes: 4, registryBytes },
  });
});
afterEach(() => {
  for (const each of open.splice(0)) each.destroy();
});
afterAll(async () => {
  await universe.close();
  distribution.closeAllConnections();
  distribution.close();
  registrySocket.closeAllConnections();
  registrySocket.close();
  await rm(folder, { recursive: true });
});

interface Reply {
  status: number | undefined;
  code?: string;
  retryAfter: string | undefined;
}

/** A request that stays open as long as the server allows. */
async function hold(token: string, path: string, more: { method?: string; length?: number } = {}): Promise<Reply> {
  const outgoing = request({ ...universe.connection(token), agent: false, path, method: more.method ?? 'GET' });
  open.push(outgoing);
  outgoing.on('error', () => undefined);
  if (more.length === undefined) outgoing.end();
  else outgoing.setHeader('content-length', more.length).flushHeaders();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { statusCode: status, headers } = response;
  const { code } = status === 429 ? ((await json(response)) as { code: string }) : {};
  return { status, retryAfter: headers['retry-after'], ...(code !== undefined && { code }) };
}

test('a client with too many event streams gets 429 with Retry-After, and others are served', async () => {
  const [viewer, operator] = [await universe.token('viewer'), await universe.token('operator')];
  const streams = await Promise.all(Array.from({ length: 100 }, () => hold(viewer, '/api/v1/events')));
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await hold(viewer, '/api/v1/events')).toEqual({ status: 429, code: 'NOVA8424', retryAfter: '5' });
  expect((await hold(operator, '/api/v1/events')).status).toBe(200);
  // Our client waits until there is room.
  const stop = new AbortController();
  let isConnected = false;
  const following = followEvents(
    universe.connection(viewer),
    { after: 0, onConnection: (is) => (isConnected = is) },
    () => undefined,
    stop.signal,
  );
  for (const each of open.splice(0, 50)) each.destroy();
  await eventually(() => isConnected);
  stop.abort();
  await following;
});

test('a client with too many git fetches gets 429 with Retry-After, and others are served', async () => {
  const [viewer, operator] = [await universe.token('viewer'), await universe.token('operator')];
  await universe.universe.parts.repositories.ensure('release');
  const path = '/git/release.git/git-upload-pack';
  // The server waits for the bodies of these requests.
  for (let index = 0; index < 4; index += 1)
    void hold(viewer, path, { method: 'POST', length: 10 }).catch(() => undefined);
  const refs = (token: string) => universe.send('/git/release.git/info/refs?service=git-upload-pack', { token });
  await eventually(async () => (await refs(viewer)).status === 429);
  const { headers, json: body } = await refs(viewer);
  expect([headers['retry-after'], body.code]).toEqual(['5', 'NOVA8424']);
  expect((await refs(operator)).status).toBe(200);
  for (const each of open.splice(0)) each.destroy();
  await eventually(async () => (await refs(viewer)).status === 200);
});

test('a forwarded request with headers of its own connection is served', async () => {
  await universe.universe.parts.repositories.ensure('release');
  const { host, port, ca } = universe.connection(await universe.token('viewer'));
  const socket = connect({ host, port, ca, checkServerIdentity: () => undefined });
  const headers = [
    'Host: universe',
    'Trailer: x-sum',
    'TE: trailers',
    'Proxy-Connection: keep-alive',
    'Connection: close',
  ];
  socket.write(
    [
      'GET /git/release.git/info/refs?service=git-upload-pack HTTP/1.1',
      `Authorization: Bearer ${await universe.token('viewer')}`,
      ...headers,
      '',
      '',
    ].join('\r\n'),
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

test('nodes beyond the limit of the site are refused before anything starts', async () => {
  const { local } = universe;
  const declare = (cluster: string, network: string, workers: number) =>
    universe.sendLocally(`/api/v1/clusters/${cluster}`, {
      method: 'PUT',
      body: { documents: documentsOf(cluster, { network, workers }) },
    });
  expect((await declare('first', '10.20.1.0/24', 1)).status).toBe(200);
  const before = (await local.listOperations({ query: {} })).operations.length;
  for (const path of ['', '/preview']) {
    const { status, json: problem } = await universe.sendLocally(`/api/v1/clusters/second${path}`, {
      method: path === '' ? 'PUT' : 'POST',
      body: { documents: documentsOf('second', { network: '10.20.2.0/24', workers: 2 }) },
    });
    expect([status, problem.code]).toEqual([422, 'NOVA8425']);
    expect(String(problem.title)).toContain('5');
  }
  expect((await local.listOperations({ query: {} })).operations.length).toBe(before);
  expect((await declare('second', '10.20.2.0/24', 1)).status).toBe(200);
  // Each fits alone, but both exceed the limit.
  const both = await Promise.all([declare('third', '10.20.3.0/24', 0), declare('fourth', '10.20.4.0/24', 0)]);
  expect(both.map(({ status }) => status)).toEqual([422, 422]);
});

const push = async (body: Buffer | string, headers: Record<string, string> = {}) => {
  const token = await universe.token('operator');
  return universe.send('/v2/team/app/blobs/uploads/1', { method: 'PATCH', token, body, headers });
};

test('a push over the quota of the registry is refused', async () => {
  stored = { ...stored, bytes: registryBytes - 1000 };
  received = 0;
  expect((await push('x'.repeat(900))).status).toBe(202);
  // Bytes received since the last measurement count.
  const refused = await push('x'.repeat(200));
  expect([refused.status, refused.json.code]).toEqual([413, 'NOVA8426']);
  expect(received).toBe(900);
  // A client that does not declare its length is stopped at the quota.
  const token = await universe.token('operator');
  const outgoing = request({
    ...universe.connection(token),
    agent: false,
    method: 'PATCH',
    path: '/v2/team/app/blobs/uploads/2',
  });
  outgoing.on('error', () => undefined);
  outgoing.write(Buffer.alloc(50));
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.write(Buffer.alloc(5000));
  const [response] = await answered;
  expect(response.statusCode).toBe(413);
  outgoing.destroy();
  // After images are deleted there is space again.
  stored = { ...stored, bytes: 0 };
  received = 0;
  expect((await push('x'.repeat(2000))).status).toBe(202);
});

test('a push that would fill the disk is refused', async () => {
  // The last measurement of the registry is too old by then.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  onTestFinished(() => void vi.useRealTimers());
  stored = { bytes: 0, freeBytes: gibibyte + 1000 };
  received = 0;
  expect((await push('x'.repeat(900))).status).toBe(202);
  stored = { bytes: 0, freeBytes: gibibyte + 100 };
  expect((await push('x'.repeat(200))).status).toBe(413);
});
