import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { ProblemError } from '@nova-platform/api';
import { createEngineClient } from '@nova-platform/contracts/engine/client';
import { EngineIdentity } from '@nova-platform/contracts/engine/identity';
import {
  type CertificateUsage,
  createKeyPair,
  createStandaloneAuthority,
  type Issuer,
  issueCertificate,
  openAuthority,
} from '@nova-platform/pki';
import { defaultSite } from '@nova-platform/plan';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLocalApi, type Served } from '../api.ts';
import { Engine } from '../engine.ts';
import type { MachineDriver } from '../machines/driver.ts';
import { openEngineAuthority } from './authority.ts';
import { serveClients } from './serve.ts';

// No request of these tests reaches a machine or a network.
const engine = new Engine(
  {} as ConstructorParameters<typeof Engine>[0],
  { container: {} as MachineDriver, vm: {} as MachineDriver },
  defaultSite,
);
const host = '127.0.0.1';

let served: Served;
let stranger: Issuer;
let port: number;
let close: () => Promise<void>;
let own: { cert: string; key: string };
let folder: string;

function authority(): Promise<Issuer> {
  const order = { subject: { commonName: 'Nova engine', organizations: [] }, lifetimeHours: 1000 };
  return createStandaloneAuthority(order).then(openAuthority);
}

/** A key with a certificate that the engine itself would not issue. */
async function identity(issuer: Issuer, lifetimeHours = 1, usage: CertificateUsage = 'client auth') {
  const { privateKey, publicKey } = await createKeyPair();
  const subject = { commonName: 'universe', organizations: [] };
  const order = { subject, publicKey, dnsNames: [], addresses: [], usages: [usage], lifetimeHours };
  return { cert: (await issueCertificate(issuer, order)).certificate, key: privateKey };
}

function clientWith(certificate: { cert?: string; key?: string }) {
  return createEngineClient({ host, port, ca: served.issuer.certificate, ...certificate });
}

interface Answer {
  status: number;
  code?: string;
}

function ask(method: string, path: string, body?: object, more: object = { ...own, agent: false }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body ? { 'content-type': 'application/json' } : {};
    const outgoing = request({ host, port, ca: served.issuer.certificate, method, path, headers, ...more });
    outgoing.on('error', reject).on('response', (response) => {
      response.toArray().then((chunks) => {
        const text = Buffer.concat(chunks as Buffer[]).toString();
        const { code } = JSON.parse(text || '{}') as { code?: string };
        resolve({ status: response.statusCode ?? 0, ...(code !== undefined && { code }) });
      }, reject);
    });
    outgoing.end(body && JSON.stringify(body));
  });
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error !== undefined && !(error instanceof ProblemError)) throw error;
  return error?.problems[0]?.code;
}

/** A new key with a certificate issued by the engine. */
async function issued(name: string) {
  const { privateKey, publicKey } = await createKeyPair();
  return { key: privateKey, cert: (await served.clients.issue(name, publicKey)).certificate, publicKey };
}

/** The error code of a refused request, or `undefined`. */
const healthOf = (certificate: { cert: string; key: string }) => codeOf(clientWith(certificate).health());

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-clients-'));
  stranger = await authority();
  served = { engine, version: 'test', ...(await openEngineAuthority(folder)) };
  ({ port, close } = await serveClients(served, { host, port: 0 }));
  own = await issued('universe');
});

afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

describe('authentication', () => {
  test('a client with a certificate from the engine is accepted', async () => {
    expect(await clientWith(own).health()).toEqual({ status: 'ok', version: 'test' });
  });

  test.for<[string, () => Promise<{ cert?: string; key?: string }>]>([
    ['a client without a certificate', async () => ({})],
    ['a certificate of another CA', () => identity(stranger)],
    ['an expired certificate', () => identity(served.issuer, -0.01)],
    ['a server certificate', () => identity(served.issuer, 1, 'server auth')],
  ])('%s is refused', async ([, certificate]) => {
    expect(await codeOf(clientWith(await certificate()).health())).toBe('NOVA7030');
  });

  test('a certificate that expires during a connection is refused', async () => {
    const older = await adopting();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const short = { ...(await identity(served.issuer, 5 / 3600)), agent, port: older.port };
    expect(await ask('GET', '/v1/health', undefined, short)).toEqual({ status: 200 });
    await expect.poll(() => ask('GET', '/v1/health', undefined, short)).toMatchObject({ status: 403 });
    agent.destroy();
  });

  test("a certificate that is not in the engine's list is refused", async () => {
    expect(await healthOf(await identity(served.issuer))).toBe('NOVA7070');
  });

  test('an engine without a list adopts the first certificate that is used, and no other', async () => {
    const older = await adopting();
    const [first, second] = [await identity(served.issuer), await identity(served.issuer)];
    const from = (certificate: { cert: string; key: string }) =>
      ask('GET', '/v1/health', undefined, { ...certificate, agent: false, port: older.port });
    expect(await from(first)).toEqual({ status: 200 });
    expect(await from(second)).toEqual({ status: 403, code: 'NOVA7070' });
    expect(await from(first)).toEqual({ status: 200 });
    const { clients } = await openEngineAuthority(older.folder);
    expect(clients.list()).toMatchObject([{ name: 'universe' }]);
  });

  test('protocols older than TLS 1.2 are refused', async () => {
    const options = { host, port, ca: served.issuer.certificate, ...own, ciphers: 'DEFAULT@SECLEVEL=0' };
    const outcome = await new Promise((resolve) => {
      const socket = connect({ ...options, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }, () => resolve('connected'));
      socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    });
    expect(outcome).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  });

  test('a client rejects a server with a certificate from another CA', async () => {
    const client = createEngineClient({ host, port, ca: stranger.certificate, ...own });
    expect(await codeOf(client.health())).toBe('NOVA7030');
  });
});

describe('certificates of servers', () => {
  test('only the oVirt-compatible API gets one, and it is not that of the engine', async () => {
    const { publicKey } = await createKeyPair();
    expect(await codeOf(clientWith(own).certifyServer(publicKey))).toBe('NOVA7040');
    const ovirt = clientWith(await issued('ovirt'));
    expect(await codeOf(ovirt.certifyServer('no key'))).toBe('NOVA7043');
    const { certificate, authority: ca } = await ovirt.certifyServer(publicKey);
    expect(ca).toBe(served.issuer.certificate);
    expect(new X509Certificate(certificate)).toMatchObject({
      subject: 'CN=nova-ovirt',
      subjectAltName: `IP Address:${host}`,
      keyUsage: ['1.3.6.1.5.5.7.3.1'],
    });
  });

  test('a client of the engine rejects other servers at its address', async () => {
    const ovirt = clientWith(await issued('ovirt'));
    const { privateKey, publicKey } = await createKeyPair();
    const { certificate } = await ovirt.certifyServer(publicKey);
    const impostor = createServer({ key: privateKey, cert: certificate }, (_request, response) => {
      response.end('{"status":"ok","version":"test"}');
    }).listen(0, host);
    await once(impostor, 'listening');
    const client = await EngineIdentity.open('Universe', join(folder, 'identity'));
    const accept = async (at: number) =>
      client.accept({ ...(await served.clients.issue('universe-2', client.publicKey)), host, port: at });
    await accept(port);
    expect(await client.client().health()).toEqual({ status: 'ok', version: 'test' });
    await accept((impostor.address() as { port: number }).port);
    expect(await codeOf(client.client().health())).toBe('NOVA7030');
    impostor.close();
  });
});

describe('authorization', () => {
  test('a client can call the listed routes only', async () => {
    const api = await createLocalApi(served);
    await api.ready();
    const { paths } = (await api.inject('/v1/openapi.json')).json<{ paths: Record<string, object> }>();
    await api.close();
    const routes = Object.entries({ ...paths, '/v1/clients/self': { post: {} } }).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const answers = await Promise.all(
      [...routes, 'GET /v1/openapi.json', 'GET /v1/unheard-of', 'HEAD /v1/machines', 'OPTIONS /v1/machines'].map(
        async (route) => {
          const [method = '', path = ''] = route.split(' ');
          const { status, code } = await ask(method, path.replaceAll(/\{\w+\}/g, 'nobody'));
          if (status === 403 && method !== 'HEAD') expect(code).toBe('NOVA7040');
          return { route, isRefused: status === 403 };
        },
      ),
    );
    const routesThat = (isRefused: boolean) =>
      answers.filter((each) => each.isRefused === isRefused).map(({ route }) => route);
    expect(routesThat(false).sort()).toMatchInlineSnapshot(`
      [
        "DELETE /v1/disks/{name}",
        "DELETE /v1/machines/{name}",
        "DELETE /v1/machines/{name}/card",
        "DELETE /v1/machines/{name}/disks/{disk}",
        "DELETE /v1/machines/{name}/snapshots/{snapshot}",
        "DELETE /v1/networks/{name}",
        "DELETE /v1/templates/{name}",
        "GET /v1/disks",
        "GET /v1/health",
        "GET /v1/host",
        "GET /v1/images",
        "GET /v1/machines",
        "GET /v1/machines/{name}/console",
        "GET /v1/machines/{name}/snapshots",
        "GET /v1/machines/{name}/usage",
        "GET /v1/networks",
        "GET /v1/networks/{name}",
        "PATCH /v1/disks/{name}",
        "PATCH /v1/machines/{name}",
        "PATCH /v1/networks/{name}",
        "POST /v1/clients/self",
        "POST /v1/disks",
        "POST /v1/machines",
        "POST /v1/machines/{name}/restart",
        "POST /v1/machines/{name}/snapshots",
        "POST /v1/machines/{name}/snapshots/{snapshot}/restore",
        "POST /v1/machines/{name}/start",
        "POST /v1/machines/{name}/stop",
        "POST /v1/networks",
        "POST /v1/templates",
        "PUT /v1/machines/{name}/card",
        "PUT /v1/machines/{name}/disks/{disk}",
      ]
    `);
    expect(routesThat(true).sort()).toMatchInlineSnapshot(`
      [
        "DELETE /v1/clients/{name}",
        "DELETE /v1/volumes/{name}",
        "GET /v1/clients",
        "GET /v1/host/ovirt",
        "GET /v1/host/ports",
        "GET /v1/images/check",
        "GET /v1/openapi.json",
        "GET /v1/unheard-of",
        "GET /v1/volumes",
        "HEAD /v1/machines",
        "OPTIONS /v1/machines",
        "POST /v1/clients",
        "POST /v1/images/check",
        "POST /v1/images/prune",
        "POST /v1/images/update",
        "POST /v1/images/{name}/build",
        "PUT /v1/host/maintenance",
        "PUT /v1/host/ovirt",
        "PUT /v1/host/ports",
      ]
    `);
  });

  test('a command in a machine is refused, also as an upgrade', async () => {
    const streams = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
    expect(await codeOf(clientWith(own).exec('m1', { command: ['true'] }, streams))).toBe('NOVA7040');
  });

  const machine = { name: 'm1', image: 'nothing', network: 'nowhere' };
  test.for<[string, string, string, object?]>([
    ["Universe's machine", 'DELETE', '/v1/machines/universe'],
    ["Universe's machine in another spelling", 'POST', '/v1/%6dachines/univers%65/stop'],
    ["the size of Universe's machine", 'PATCH', '/v1/machines/universe', { cpu: 2 }],
    ["the network card of Universe's machine", 'DELETE', '/v1/machines/universe/card'],
    ["a connection to Universe's network", 'PUT', '/v1/machines/m1/card', { network: 'integration' }],
    ["the creation of Universe's machine", 'POST', '/v1/machines', { ...machine, name: 'universe' }],
    ["a machine in Universe's network", 'POST', '/v1/machines', { ...machine, network: 'integration' }],
    ["a disk of Universe's machine", 'PUT', '/v1/machines/universe/disks/d1', { path: '/data' }],
    ["the snapshots of Universe's machine", 'GET', '/v1/machines/universe/snapshots'],
    ["a snapshot of Universe's machine", 'POST', '/v1/machines/universe/snapshots/s1/restore'],
    ["a template of Universe's machine", 'POST', '/v1/templates', { name: 't1', machine: 'universe' }],
    ['the content of a disk', 'GET', '/v1/disks/d1/content'],
    ['the content of a machine', 'GET', '/v1/machines/m1/content'],
    ['a volume', 'POST', '/v1/machines', { ...machine, volumes: [{ name: 'universe', path: '/data' }] }],
    ["Universe's network", 'PATCH', '/v1/networks/integration', { names: [] }],
    ["the status of Universe's network", 'GET', '/v1/networks/integration'],
  ])('a client has no access to %s', async ([, method, path, body]) => {
    expect(await ask(method, path, body)).toEqual({ status: 403, code: 'NOVA7040' });
  });

  test('other requests reach the engine', async () => {
    expect(await ask('POST', '/v1/machines', machine)).toEqual({ status: 422, code: 'NOVA7001' });
  });
});

/** An engine with the same CA, just updated from a version without a list of clients. */
async function adopting(): Promise<{ port: number; folder: string }> {
  const older = await mkdtemp(join(tmpdir(), 'nova-clients-'));
  await writeFile(join(older, 'authority.json'), await readFile(join(folder, 'authority.json')));
  const server = await serveClients({ ...served, ...(await openEngineAuthority(older)) }, { host, port: 0 });
  onTestFinished(async () => {
    await server.close();
    await rm(older, { recursive: true });
  });
  return { port: server.port, folder: older };
}

describe('consoles', () => {
  const openAs = (certificate: { cert?: string; key?: string }, machine: string) =>
    codeOf(clientWith(certificate).openConsole(machine, 'screen'));

  test('a client can open the console of a machine, but not that of Universe', async () => {
    // No machine exists: the request passed all checks.
    expect(await openAs(own, 'm1')).toBe('NOVA7010');
    expect(await openAs(own, 'universe')).toBe('NOVA7040');
  });

  test.for<[string, () => Promise<{ cert?: string; key?: string }>, string]>([
    ['without a certificate', async () => ({}), 'NOVA7030'],
    ['with an unknown certificate', () => identity(served.issuer), 'NOVA7070'],
  ])('a client %s is refused', async ([, certificate, code]) => {
    expect(await openAs(await certificate(), 'm1')).toBe(code);
  });
});

describe('certificates', () => {
  test('a client renews its certificate for the same key, and the old one works until the new one is used', async () => {
    const { publicKey, ...old } = await issued('renewed');
    const { certificate, authority: issuer } = await clientWith(old).renewCertificate(publicKey);
    expect(issuer).toBe(served.issuer.certificate);
    expect(await healthOf(old)).toBeUndefined();
    expect(await healthOf({ ...old, cert: certificate })).toBeUndefined();
    await expect.poll(() => healthOf(old)).toBe('NOVA7070');
  });

  test('a renewal for another key is refused', async () => {
    const { publicKey } = await createKeyPair();
    expect(await codeOf(clientWith(own).renewCertificate(publicKey))).toBe('NOVA7071');
  });

  test('a new certificate for another key revokes those of the same name', async () => {
    const { publicKey: _, ...old } = await issued('replaced');
    const { publicKey: __, ...current } = await issued('replaced');
    expect(await healthOf(old)).toBe('NOVA7070');
    expect(await healthOf(current)).toBeUndefined();
  });

  test('revoking a client closes its connections, refuses its certificate, and survives a restart', async () => {
    const { publicKey, ...thief } = await issued('thief');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const closed = new Promise((resolve) => {
      agent.on('free', (socket: NodeJS.EventEmitter) => socket.once('close', resolve));
    });
    expect(await ask('GET', '/v1/health', undefined, { ...thief, agent })).toEqual({ status: 200 });
    expect(await served.clients.revoke('thief')).toBe(1);
    await closed;
    expect(await healthOf(thief)).toBe('NOVA7070');
    expect(await codeOf(clientWith(thief).renewCertificate(publicKey))).toBe('NOVA7070');
    expect(await healthOf(own)).toBeUndefined();
    const { clients } = await openEngineAuthority(folder);
    expect(clients.list().map(({ name }) => name)).not.toContain('thief');
  });

  test('only root on the host can list and revoke clients', async () => {
    await issued('listed');
    const api = await createLocalApi(served);
    onTestFinished(() => api.close());
    const names = async () => (await api.inject('/v1/clients')).json<{ name: string }[]>().map(({ name }) => name);
    expect(await names()).toContain('listed');
    expect((await api.inject({ method: 'DELETE', url: '/v1/clients/listed' })).statusCode).toBe(200);
    expect(await names()).not.toContain('listed');
    expect((await api.inject({ method: 'DELETE', url: '/v1/clients/listed' })).json()).toMatchObject({
      code: 'NOVA7072',
    });
  });

  test('a certificate is issued only for a public key', async () => {
    const { privateKey } = await createKeyPair();
    for (const wrong of [privateKey, own.cert, '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', 'x'])
      expect(await codeOf(clientWith(own).renewCertificate(wrong))).toBe('NOVA7043');
  });

  test('the engine renews its own certificate, and connections continue', async () => {
    const short = await serveClients(served, { host, port: 0 }, 200);
    const seen = () =>
      new Promise<string>((resolve, reject) => {
        const options = { host, port: short.port, ca: served.issuer.certificate, ...own };
        const socket = connect(options, () => {
          resolve(socket.getPeerX509Certificate()?.serialNumber ?? '');
          socket.destroy();
        });
        socket.on('error', reject);
      });
    const first = await seen();
    await expect.poll(seen, { timeout: 5000 }).not.toBe(first);
    await short.close();
  });
});
