import { createHash, X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  createKeyPair,
  createStandaloneAuthority,
  type Issuer,
  issueCertificate,
  openAuthority,
} from '@nova-platform/pki';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Front, startFront } from './front.ts';
import { Identities, type WatchIdentities } from './identities.ts';

interface Identity {
  cert: string;
  key: string;
  serial: string;
}

const large = Buffer.alloc(32 * 2 ** 20, 'layer');
const digest = createHash('sha256').update(large).digest('hex');
const listen = { host: '127.0.0.1', port: 0 };

let folder: string;
let authority: Issuer;
let upstream: Server;
let front: Front;
let identities: Identities;
/** Simulates a report of the Configuration Manager. */
let report: (serials: readonly string[]) => void;
const stopping = new AbortController();
let following: Promise<void>;

async function identity(lifetimeHours = 1): Promise<Identity> {
  const { privateKey, publicKey } = await createKeyPair();
  const subject = { commonName: 'node', organizations: [] };
  const order = { subject, publicKey, dnsNames: ['localhost'], addresses: ['127.0.0.1'], lifetimeHours };
  const { certificate } = await issueCertificate(authority, { ...order, usages: ['client auth', 'server auth'] });
  return { cert: certificate, key: privateKey, serial: new X509Certificate(certificate).serialNumber };
}

interface Asking {
  method?: string;
  agent?: Agent;
  headers?: Record<string, string>;
}

function ask(path: string, { cert, key }: Identity, { method = 'GET', agent, headers = {} }: Asking = {}) {
  return new Promise<{ status: number; body: Buffer; headers: object }>((resolve, reject) => {
    const ca = authority.certificate;
    const options = { ...listen, port: front.port, ca, cert, key, method, path, headers, agent: agent ?? false };
    request(options, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      buffer(response).then((body) => resolve({ status, body, headers: answered }), reject);
    })
      .on('error', reject)
      .end();
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-front-'));
  authority = await openAuthority(
    await createStandaloneAuthority({ subject: { commonName: 'nova', organizations: [] }, lifetimeHours: 10 }),
  );
  const socket = join(folder, 'upstream.sock');
  upstream = createServer(({ url, method, headers }, response) => {
    if (url === '/slow') response.write('first');
    else if (url === '/large') response.end(large);
    else if (url?.startsWith('/v2/other/')) response.writeHead(404).end('{}');
    else if (url === `/v2/image/blobs/sha256:${digest}` && headers.range !== undefined)
      response.writeHead(206).end('part');
    else if (url === `/v2/image/blobs/sha256:${digest}`)
      response.writeHead(200, { 'content-length': large.length, 'docker-content-digest': digest }).end();
    else response.writeHead(200, { 'docker-content-digest': 'sha256:00' }).end(JSON.stringify({ method, headers }));
  });
  await new Promise<void>((resolve) => void upstream.listen(socket, resolve));
  identities = await Identities.open(join(folder, 'identities.json'));
  const blob = join(folder, 'docker/registry/v2/blobs/sha256', digest.slice(0, 2), digest);
  await mkdir(blob, { recursive: true });
  await writeFile(join(blob, 'data'), large);
  const certificate = { ...(await identity()), ca: authority.certificate };
  front = await startFront({ listen, upstream: socket, storage: folder, certificate, identities });
  const watch: WatchIdentities = (onList, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve());
      report = onList;
    });
  following = identities.follow(watch, front.closeRevoked, stopping.signal);
});

afterAll(async () => {
  stopping.abort();
  await following;
  await front.close();
  upstream.closeAllConnections();
  upstream.close();
  await rm(folder, { recursive: true });
});

test('no identity is valid without a list', async () => {
  expect(await ask('/v2/', await identity())).toMatchObject({ status: 403 });
});

test('a valid identity can read, and every other method and header is blocked', async () => {
  const node = await identity();
  report([node.serial]);
  const read = await ask('/v2/', node, { headers: { range: 'bytes=0-1', authorization: 'Basic x', cookie: 'x' } });
  expect(read).toMatchObject({ status: 200, headers: { 'docker-content-digest': 'sha256:00' } });
  const { headers } = JSON.parse(read.body.toString()) as { headers: object };
  expect(headers).toMatchObject({ range: 'bytes=0-1', 'x-forwarded-proto': 'https' });
  expect(headers).not.toMatchObject({ authorization: expect.anything() });
  expect(await ask('/v2/', node, { method: 'HEAD' })).toMatchObject({ status: 200 });
  for (const method of ['PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'])
    expect(await ask('/v2/x/manifests/1', node, { method }), method).toMatchObject({ status: 405 });
  expect((await ask('/large', node)).body.equals(large)).toBe(true);
});

test('blobs that the registry serves are read from disk, and its other responses are passed on', async () => {
  const node = await identity();
  report([node.serial]);
  const path = (image: string) => `/v2/${image}/blobs/sha256:${digest}`;
  const whole = await ask(path('image'), node);
  expect(whole).toMatchObject({ status: 200, headers: { 'docker-content-digest': digest } });
  expect(whole.body.equals(large)).toBe(true);
  expect(await ask(path('other'), node)).toMatchObject({ status: 404 });
  const part = await ask(path('image'), node, { headers: { range: 'bytes=1-4' } });
  expect(part).toMatchObject({ status: 206, body: Buffer.from('part') });
  expect((await ask(path('image'), node, { method: 'HEAD' })).body.length).toBe(0);
});

test('a revoked identity is refused at once and its connections are closed, while others continue', async () => {
  const [revoked, other] = [await identity(), await identity()];
  report([revoked.serial, other.serial]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect(await ask('/v2/', revoked, { agent })).toMatchObject({ status: 200 });
  const pulling = ask('/slow', revoked);
  const otherPulls = ask('/slow', other);
  const outcome = pulling.catch((error: NodeJS.ErrnoException) => error.code);
  let isOtherEnded = false;
  void otherPulls
    .catch(() => undefined)
    .finally(() => {
      isOtherEnded = true;
    });
  await expect
    .poll(() => new Promise((resolve) => upstream.getConnections((_, count) => resolve(count))))
    .toBeGreaterThan(1);
  report([other.serial]);
  expect(await outcome).toBe('ECONNRESET');
  expect(await ask('/v2/', revoked)).toMatchObject({ status: 403 });
  expect(isOtherEnded).toBe(false);
  expect(await ask('/v2/', other)).toMatchObject({ status: 200 });
});

test('the last list stays in force without a new report', async () => {
  const [known, revoked] = [await identity(), await identity()];
  report([known.serial, revoked.serial]);
  report([known.serial]);
  await expect
    .poll(async () => {
      const kept = await Identities.open(join(folder, 'identities.json'));
      return [kept.has(known.serial), kept.has(revoked.serial)];
    })
    .toEqual([true, false]);
});

test('an expired identity is refused on a connection that is still open', async () => {
  const short = await identity(4 / 3600);
  report([short.serial]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect(await ask('/v2/', short, { agent })).toMatchObject({ status: 200 });
  await expect.poll(() => ask('/v2/', short, { agent }), { timeout: 10_000 }).toMatchObject({ status: 403 });
});

test('new clients get the renewed certificate', async () => {
  const node = await identity();
  report([node.serial]);
  const renewed = await identity();
  front.setCertificate({ ...renewed, ca: authority.certificate });
  expect(await ask('/v2/', node)).toMatchObject({ status: 200 });
});
