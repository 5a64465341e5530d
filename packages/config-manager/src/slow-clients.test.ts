import { once } from 'node:events';
import { connect as connectPlain, Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { plan } from '@nova-platform/plan/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Identity, SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

const node = 'demo-main-1';
const megabyte = 1024 * 1024;

let server: TestManager;
let agent: SimulatedAgent;

beforeAll(async () => {
  server = await startTestManager({ bodyTimeout: 2000 });
  await server.approve(plan());
  agent = await server.enrolled(node);
});
afterAll(() => server.remove());

const secured = () => connected(agent.identity);

async function connected(identity?: Identity): Promise<TLSSocket> {
  const socket = connect({
    host: '127.0.0.1',
    port: server.manager.port,
    rejectUnauthorized: false,
    ...(identity && { key: identity.key, cert: identity.certificate }),
  });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

const head = (method: string, path: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'host: config', ...headers, '', ''].join('\r\n');

test('clients that send a body byte by byte are cut off and do not delay others', async () => {
  const paths = [
    ['PUT', '/puppet-ca/v1/certificate_request/slow'],
    ['PUT', `/puppet/v3/report/${node}`],
    ['POST', `/puppet/v3/catalog/${node}`],
    ['POST', `/nova/v1/nodes/${node}/certificates/kubelet-client`],
    ['POST', '/not/there'],
  ] as const;
  const slow = await Promise.all(Array.from({ length: 50 }, secured));
  await agent.catalog();
  let cut = 0;
  for (const socket of slow) socket.once('close', () => (cut += 1));
  for (const [index, socket] of slow.entries()) {
    const [method, path] = paths[index % paths.length] as (typeof paths)[number];
    socket.write(head(method, path, 'content-type: text/plain', 'content-length: 1000'));
  }
  const trickling = setInterval(() => {
    for (const socket of slow) if (!socket.destroyed) socket.write('x');
  }, 100);
  expect((await agent.catalog()).status).toBe(200);
  expect(cut).toBe(0);
  while (cut < slow.length) expect((await agent.catalog()).status).toBe(200);
  clearInterval(trickling);
});

test('a slow client is served if its body arrives in time', async () => {
  const socket = await secured();
  const answer = once(socket, 'data');
  socket.write(head('PUT', `/puppet/v3/report/${node}`, 'content-type: application/json', 'content-length: 2'));
  setTimeout(() => socket.write('{}'), 100);
  expect(String((await answer)[0])).toContain('NOVA8025');
  socket.destroy();
});

test('a node that polls for orders is not cut off', async () => {
  expect(await agent.send('GET', `/nova/v1/nodes/${node}/order?wait=2.5`)).toMatchObject({ status: 204 });
});

test('a log may take longer than the body timeout', async () => {
  const log = agent.openLog('any');
  for (let index = 0; index < 12; index += 1) {
    log.write('x');
    await new Promise((wake) => setTimeout(wake, 200));
  }
  expect((await log.end()).status).toBe(204);
});

test('a silent log keeps its connection open, but later requests have the normal timeout', async () => {
  const timeouts = vi.spyOn(Socket.prototype, 'setTimeout');
  onTestFinished(() => timeouts.mockRestore());
  const log = agent.openLog('any');
  const hour = 3600_000;
  await expect.poll(() => timeouts.mock.lastCall).toEqual([hour]);
  const socket = timeouts.mock.contexts.at(-1) as Socket;
  expect(socket.timeout).toBe(hour);
  await log.end();
  await expect.poll(() => socket.timeout).toBeLessThanOrEqual(120_000);
});

test('a client rejected while it sends a log is disconnected', async () => {
  const socket = await connected();
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const closed = once(socket, 'close');
  socket.write(head('PUT', `/nova/v1/nodes/${node}/orders/any/log`, 'transfer-encoding: chunked'));
  const trickling = setInterval(() => socket.destroyed || socket.write('1\r\nx\r\n'), 20);
  onTestFinished(() => {
    clearInterval(trickling);
    socket.destroy();
  });
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
});

test('an unauthenticated client is rejected before it sends its body', async () => {
  for (const [method, path] of [
    ['PUT', `/puppet/v3/report/${node}`],
    ['POST', `/puppet/v3/catalog/${node}`],
    ['POST', `/nova/v1/nodes/${node}/certificates/kubelet-client`],
    ['POST', '/puppet-ca/v1/certificate_renewal'],
  ] as const) {
    const socket = await connected();
    const answer = once(socket, 'data');
    socket.write(head(method, path, 'content-type: text/plain', 'content-length: 100'));
    expect(String((await answer)[0]), path).toMatch(/^HTTP\/1\.1 403 /);
    socket.destroy();
  }
});

test('stalled handshakes do not block other clients', async () => {
  const stalled: Socket[] = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const socket = connectPlain(server.manager.port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      // The first bytes of a ClientHello that never completes.
      socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]));
      return socket;
    }),
  );
  agent.reconnect();
  expect(await agent.catalog()).toMatchObject({ status: 200, isReused: false });
  for (const socket of stalled) socket.destroy();
});

test('a body with a too large content-length is rejected before it is sent', async () => {
  for (const [method, path, limit] of [
    ['PUT', '/puppet-ca/v1/certificate_request/any', 16 * 1024],
    ['PUT', `/puppet/v3/report/${node}`, 8 * megabyte],
    ['POST', `/puppet/v3/catalog/${node}`, 2 * megabyte],
    ['POST', `/nova/v1/nodes/${node}/certificates/kubelet-client`, 16 * 1024],
  ] as const) {
    const socket = await secured();
    const answer = once(socket, 'data');
    socket.write(head(method, path, 'content-type: text/plain', `content-length: ${limit + 1}`));
    expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  }
});

test('an endless body is read only up to its limit', async () => {
  const socket = await secured();
  let answer = '';
  let sent = 0;
  const closed = new Promise((wake) => socket.once('close', wake));
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(
    head('PUT', `/puppet/v3/report/${node}`, 'content-type: application/json', 'transfer-encoding: chunked'),
  );
  const chunk = 'x'.repeat(64 * 1024);
  while (!socket.destroyed && answer === '' && sent < 100 * megabyte) {
    const isTaken = socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    sent += chunk.length;
    if (!isTaken) await Promise.race([new Promise((wake) => socket.once('drain', wake)), closed]);
  }
  expect(sent).toBeGreaterThan(8 * megabyte);
  // Plus what the connection itself has buffered.
  expect(sent).toBeLessThan(24 * megabyte);
  expect(await server.reports(node, 1)).toEqual([]);
  socket.destroy();
});
