import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { ReleaseAccess } from '@nova-platform/cluster';
import { consoleEnds, consoleKinds } from '@nova-platform/contracts/universe/consoles';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startTestEngine, type TestEngine } from '../testing/engine.ts';
import { documentsOf, eventually, startTestUniverse, type TestUniverse, testPassword } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let universe: TestUniverse;
let engine: TestEngine;
/** Consoles that are open at the engine, as `web serial`. */
const atEngine: string[] = [];

beforeAll(async () => {
  universe = await startTestUniverse();
  const body = { documents: documentsOf('demo') };
  const { operation } = await universe.local.declareCluster({ params: { cluster: 'demo' }, body });
  await universe.universe.parts.operations.ended(operation?.id ?? 0);
  engine = await startTestEngine(universe);
  engine.addNetwork('integration', '10.255.0.0/24');
  engine.addNetwork('demo', '10.20.0.0/24');
  engine.addMachine('universe', 'integration', { kind: 'vm' });
  engine.addMachine('demo-main-1', 'demo', { kind: 'vm' });
  engine.addMachine('web', undefined, { kind: 'vm' });
  engine.addMachine('off', undefined, { kind: 'vm', state: 'stopped' });
  engine.addMachine('box');
});
beforeEach(() => {
  engine.console = (socket, name, kind) => {
    atEngine.push(`${name} ${kind}`);
    socket.once('close', () => atEngine.splice(atEngine.indexOf(`${name} ${kind}`), 1));
    socket.pipe(socket);
  };
});
const open: WebSocket[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) each.terminate();
  await eventually(() => atEngine.length === 0);
});
afterAll(async () => {
  await universe.close();
  await engine.close();
});

interface Client {
  token?: string;
  /** A node's certificate. */
  identity?: { key: string; certificate: string };
  cookie?: string;
  origin?: string;
}

const own = () => `https://127.0.0.1:${universe.port}`;

/** A browser, or a program with a token. */
function connecting(path: string, { token, cookie, origin, identity }: Client): WebSocket {
  const browser = new WebSocket(`wss://127.0.0.1:${universe.port}/api/v1${path}`, {
    ca: universe.ca,
    ...(origin !== undefined && { origin }),
    ...(identity && { key: identity.key, cert: identity.certificate }),
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...(cookie && { cookie }) },
  });
  open.push(browser);
  browser.on('error', () => undefined);
  return browser;
}

/** The status and the code of the refusal, or 101. */
async function outcomeOf(path: string, client: Client): Promise<string> {
  const browser = connecting(path, client);
  return new Promise((resolve) => {
    browser.once('open', () => resolve('101'));
    browser.once('unexpected-response', (_request, response: IncomingMessage) => {
      void json(response).then((body) => resolve(`${response.statusCode} ${(body as { code: string }).code}`));
    });
  });
}

async function openConsole(path: string, client: Client) {
  const browser = connecting(path, client);
  let received = '';
  browser.on('message', (bytes: Buffer) => {
    received += bytes.toString();
  });
  const closed = new Promise<number>((resolve) => browser.once('close', resolve));
  await once(browser, 'open');
  return { browser, closed, received: () => received };
}

/** A session of a new user. */
async function login(name: string, role: 'viewer' | 'operator' | 'admin'): Promise<string> {
  await universe.local.createUser({ body: { name, role, password: testPassword } });
  const started = await universe.send('/api/v1/session', {
    method: 'POST',
    headers: { origin: own() },
    body: { user: name, password: testPassword },
  });
  return started.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

test.for(consoleKinds)('an operator uses the %s of a VM, and an administrator that of a node too', async (kind) => {
  const [operator, admin] = [await universe.token('operator'), await universe.token('admin')];
  for (const [name, token] of [
    ['web', operator],
    ['demo-main-1', admin],
  ] as const) {
    const console = await openConsole(`/machines/${name}/${kind}`, { token });
    expect(atEngine).toContain(`${name} ${kind}`);
    console.browser.send(Buffer.from('typed'));
    await eventually(() => console.received() === 'typed');
    console.browser.close();
    expect(await console.closed).toBe(1005);
  }
});

test('only operators and administrators open consoles', async () => {
  const { identity } = await universe.enrolled('demo-main-1');
  const flux = new ReleaseAccess(universe.universe.parts.config.services.sealer).tokenFor('demo');
  for (const kind of consoleKinds) {
    const path = `/machines/web/${kind}`;
    expect(await outcomeOf(path, {})).toBe('401 NOVA8310');
    expect(await outcomeOf(path, { token: `nova_${'a'.repeat(12)}_${'b'.repeat(43)}` })).toBe('401 NOVA8310');
    expect(await outcomeOf(path, { token: await universe.token('viewer') })).toBe('403 NOVA8311');
    expect(await outcomeOf('/machines/demo-main-1/serial', { identity })).toBe('403 NOVA8319');
    expect(await outcomeOf('/machines/demo-main-1/serial', { token: flux })).toBe('403 NOVA8323');
    // They would be root in the cluster.
    const operator = await universe.token('operator');
    expect(await outcomeOf(`/machines/demo-main-1/${kind}`, { token: operator })).toBe('403 NOVA8311');
    expect(await outcomeOf(path, { token: await universe.token('operator') })).toBe('101');
    expect(await outcomeOf(path, { token: await universe.token('admin') })).toBe('101');
  }
});

test('a console is refused with its reason, as a WebSocket and as a plain request', async () => {
  const token = await universe.token('operator');
  const refusals = [
    ['universe', '404 NOVA8432'],
    ['missing', '404 NOVA8432'],
    ['box', '409 NOVA8436'],
    ['off', '422 NOVA7011'],
  ];
  for (const [name, refusal] of refusals) {
    const path = `/machines/${name}/screen`;
    expect(await outcomeOf(path, { token }), name).toBe(refusal);
    const { status, json: body } = await universe.send(`/api/v1${path}`, { token });
    expect(`${status} ${body.code}`, name).toBe(refusal);
  }
  const plain = await universe.send('/api/v1/machines/web/screen', { token });
  expect([plain.status, plain.json.code]).toEqual([426, 'NOVA8437']);
  expect(await outcomeOf('/machines', { token })).toBe('200 undefined');
});

test("a page of another origin cannot use a browser's session", async () => {
  const cookie = await login('browser', 'operator');
  const path = '/machines/web/serial';
  for (const origin of ['https://evil.example', `http://127.0.0.1:${universe.port}`, 'https://127.0.0.1', 'null'])
    expect(await outcomeOf(path, { cookie, origin }), origin).toBe('401 NOVA8310');
  expect(await outcomeOf(path, { cookie })).toBe('401 NOVA8310');
  expect(await outcomeOf(path, { token: await universe.token('operator'), origin: 'https://evil.example' })).toBe(
    '401 NOVA8310',
  );
  expect(atEngine).toEqual([]);
  expect(await outcomeOf(path, { cookie, origin: own() })).toBe('101');
});

test('a console closes after a logout, a removal, a lower role and the end of its token', async () => {
  const origin = own();
  const path = '/machines/web/screen';
  const [out, removed, lowered, kept] = await Promise.all(
    ['out', 'removed', 'lowered', 'kept'].map(async (name) => {
      const cookie = await login(name, 'operator');
      return { cookie, ...(await openConsole(path, { cookie, origin })) };
    }),
  );
  const { token, created } = await universe.local.createAccessToken({
    body: { user: 'kept', name: 'test', role: 'operator', seconds: 60 },
  });
  const revoked = await openConsole(path, { token });
  await universe.send('/api/v1/session', { method: 'DELETE', headers: { cookie: out?.cookie ?? '', origin } });
  await universe.local.removeUser({ params: { user: 'removed' } });
  await universe.local.changeUser({ params: { user: 'lowered' }, body: { role: 'viewer' } });
  await universe.local.removeToken({ params: { id: created.id } });
  const ended = await Promise.all([out, removed, lowered, revoked].map(async (each) => each?.closed));
  expect(ended).toEqual([4001, 4001, 4001, 4001]);
  expect(ended[0]).toBe(consoleEnds.revoked);
  await eventually(() => atEngine.length === 1);
  expect(kept?.browser.readyState).toBe(WebSocket.OPEN);
});

test('a user with too many consoles gets 429, others are served, and a closed console makes room', async () => {
  const [token, other] = [await universe.token('operator'), await universe.token('admin')];
  const path = '/machines/web/serial';
  const consoles = await Promise.all(Array.from({ length: 20 }, () => openConsole(path, { token })));
  expect(await outcomeOf(path, { token })).toBe('429 NOVA8424');
  expect((await universe.send(`/api/v1${path}`, { token })).status).toBe(429);
  expect(await outcomeOf(path, { token: other })).toBe('101');
  consoles[0]?.browser.close();
  await eventually(async () => (await outcomeOf(path, { token })) === '101');
});

test('clients that leave during their handshake leave no console', async () => {
  const token = await universe.token('operator');
  const path = '/machines/web/serial';
  for (let count = 0; count < 60; count += 1) {
    const browser = connecting(path, { token });
    browser.once('upgrade', () => browser.terminate());
    setTimeout(() => browser.terminate(), count);
  }
  await eventually(() => open.every(({ readyState }) => readyState === WebSocket.CLOSED));
  await eventually(() => atEngine.length === 0);
  await Promise.all(Array.from({ length: 20 }, () => openConsole(path, { token })));
});

test('the audit trail records opened and refused consoles with their users, but no bytes', async () => {
  const token = await universe.token('operator');
  const console = await openConsole('/machines/web/serial', { token });
  console.browser.send('secret words');
  await eventually(() => console.received() === 'secret words');
  await outcomeOf('/machines/web/screen', { token: await universe.token('viewer') });
  const { entries } = await universe.local.listAudit({ query: { limit: 2 } });
  expect(entries.map(({ who, action, target, outcome }) => `${who} ${action} ${target} ${outcome}`)).toEqual([
    'viewer openScreen machines/web/screen 403',
    'operator openSerialConsole machines/web/serial 101',
  ]);
  expect(entries[1]?.credential).toMatch(/^token .* \(test\)$/);
  expect(JSON.stringify(entries) + universe.log()).not.toContain('secret words');
});

test('a message beyond the limit closes the console', async () => {
  const console = await openConsole('/machines/web/serial', { token: await universe.token('operator') });
  console.browser.send(Buffer.alloc(1024 * 1024 + 1));
  expect(await console.closed).toBe(1009);
});

test('malformed handshakes and frames leave no console, and the server serves others', async () => {
  const token = await universe.token('operator');
  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  const handshakes = [
    ['Sec-WebSocket-Version: 13'],
    ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: short'],
    ['Sec-WebSocket-Version: 99', `Sec-WebSocket-Key: ${key}`],
    ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${key}`, 'Sec-WebSocket-Protocol: a,,b'],
    ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${key}`, 'Content-Length: 5'],
    ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${key}`],
  ];
  const frames = ['\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff', '\x81\x05hello', '\x88\x7f\x00', '\x83\x80\x00', 'hello'];
  for (const headers of handshakes)
    for (const frame of frames) {
      const socket = connect({ host: '127.0.0.1', port: universe.port, ca: universe.ca });
      socket.on('error', () => undefined);
      const host = `Host: 127.0.0.1:${universe.port}`;
      const lines = ['Upgrade: websocket', 'Connection: Upgrade', `Authorization: Bearer ${token}`, ...headers];
      const request = ['GET /api/v1/machines/web/serial HTTP/1.1', host, ...lines, '', ''].join('\r\n');
      socket.write(Buffer.from(request + frame, 'latin1'));
      socket.resume();
      const timer = setTimeout(() => socket.destroy(), 2000);
      await once(socket, 'close');
      clearTimeout(timer);
    }
  await eventually(() => atEngine.length === 0);
  expect(await outcomeOf('/machines/web/serial', { token })).toBe('101');
  expect(universe.log()).not.toMatch(/"level":[56]0/);
});

test('a handshake behind a request without a response is answered like any other request', async () => {
  const socket = connect({ host: '127.0.0.1', port: universe.port, ca: universe.ca });
  const authorization = `Authorization: Bearer ${await universe.token('operator')}`;
  const handshake = ['Host: a', 'Upgrade: websocket', 'Connection: Upgrade, close', authorization];
  const lines = ['GET /api/v1/health HTTP/1.1', 'Host: a', '', 'GET /api/v1/health HTTP/1.1', 'Host: a', ''];
  socket.write([...lines, 'GET /api/v1/machines/web/serial HTTP/1.1', ...handshake, '', ''].join('\r\n'));
  const statuses = (await text(socket)).match(/HTTP\/1\.1 \d+/g);
  expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 426']);
});

test('a console closes when its machine stops, and when Universe stops', async () => {
  const token = await universe.token('operator');
  let stop = () => {};
  engine.console = (socket) => {
    stop = () => socket.end('Power down.\r\n');
  };
  const stopped = await openConsole('/machines/web/serial', { token });
  stop();
  expect(await stopped.closed).toBe(consoleEnds.stopped);
  expect(stopped.received()).toBe('Power down.\r\n');
  const restarted = await openConsole('/machines/web/serial', { token });
  await universe.restart();
  expect(await restarted.closed).toBe(consoleEnds.restart);
});

test('Universe stops although the engine does not respond to a request for a console', async () => {
  let isRequested = false;
  engine.beforeConsole = async () => {
    isRequested = true;
    await new Promise(() => undefined);
  };
  const browser = connecting('/machines/web/serial', { token: await universe.token('operator') });
  await eventually(() => isRequested);
  await universe.restart();
  await eventually(() => browser.readyState === WebSocket.CLOSED);
});
