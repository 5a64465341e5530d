import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestEngine, type TestEngine } from '@nova-platform/contracts/engine/testing';
import { ovirtContract } from '@nova-platform/contracts/ovirt';
import { apiClient, type Client, clientOf } from '@nova-platform/http/client';
import { pino } from 'pino';
import { startOvirt } from '../server.ts';

export const password = 'a long password';
const host = '127.0.0.1';

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface TestServer {
  engine: TestEngine;
  admin: Client<typeof ovirtContract>;
  folder: string;
  url: string;
  /** The CA of the server's certificate, PEM. */
  authority: string;
  ask: (
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: string | object },
  ) => Promise<Answer>;
  /** A token of this user, or the error. */
  login: (name: string, withPassword?: string) => Promise<Record<string, string>>;
  close: () => Promise<void>;
}

/** The whole API over TLS, with an engine without machines and with the users `admin@internal` and `reader@internal`. */
export async function startTestServer(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'nova-ovirt-'));
  const socketPath = join(folder, 'admin.sock');
  const engine = await createTestEngine();
  const listen = { host, port: await freePort() };
  const ovirt = await startOvirt({
    folder,
    listen,
    socket: socketPath,
    version: 'test',
    logger: pino({ level: 'silent' }),
    retryEvery: 20,
  });
  const admin = clientOf(
    ovirtContract,
    apiClient({ socketPath }, (error) => error),
  );
  const identity = await engine.identityFor((await admin.engineIdentity({})).publicKey);
  await admin.acceptEngineIdentity({ body: identity });
  await admin.createUser({ body: { name: 'admin@internal', role: 'SuperUser', password } });
  await admin.createUser({ body: { name: 'reader@internal', role: 'ReadOnlyAdmin', password } });
  await ovirt.served;

  const ask: TestServer['ask'] = (method, path, { headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const type = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
      const options = { ...listen, method, path, ca: identity.authority, headers: { ...type, ...headers } };
      const outgoing = request(options, async (response) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }),
      );
      outgoing.on('error', reject);
      outgoing.end(typeof body === 'object' ? JSON.stringify(body) : body);
    });
  return {
    engine,
    admin,
    folder,
    url: `https://${listen.host}:${listen.port}`,
    authority: identity.authority,
    ask,
    login: async (name, withPassword = password) => {
      const body = new URLSearchParams({
        grant_type: 'password',
        scope: 'ovirt-app-api',
        username: name,
        password: withPassword,
      }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
      return JSON.parse((await ask('POST', '/ovirt-engine/sso/oauth/token', { headers, body })).body);
    },
    close: async () => {
      await ovirt.close();
      await engine.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The URL of the API is part of its responses, so the port is known before. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, host, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
