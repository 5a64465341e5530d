import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngineClient, type EngineClient } from '@nova-platform/contracts/engine/client';
import type { TestEngine } from '@nova-platform/contracts/engine/testing';
import { createKeyPair } from '@nova-platform/pki';
import { openStore } from '@nova-platform/store';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Identity } from '../api/identity.ts';
import { serveApi } from '../api/serve.ts';
import { parseXml } from '../xml.ts';

/** A client of an engine in memory. */
export async function connectEngine(engine: TestEngine): Promise<EngineClient> {
  const { privateKey: key, publicKey } = await createKeyPair();
  const { certificate: cert, authority: ca, host, port } = await engine.identityFor(publicKey);
  return createEngineClient({ host, port, ca, cert, key });
}

const users: Record<string, Identity> = {
  admin: { name: 'admin@internal', role: 'SuperUser' },
  reader: { name: 'reader@internal', role: 'ReadOnlyAdmin' },
};

export interface TestApi {
  app: FastifyInstance;
  /** The path is relative to `/ovirt-engine/api`. */
  request: (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: string,
    headers?: Record<string, string>,
  ) => Promise<TestResponse>;
  /** Stops the API as a crash does: the store stays. */
  restart: (client: EngineClient) => Promise<TestApi>;
  close: () => Promise<void>;
}

interface TestResponse {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare what they expect
  body: any;
}

/** The API without TLS; the tokens are `admin` and `reader`. */
export async function startTestApi(client: EngineClient, folder?: string): Promise<TestApi> {
  const own = folder ?? (await mkdtemp(join(tmpdir(), 'nova-ovirt-')));
  const store = await openStore({ kind: 'sqlite', file: join(own, 'ovirt.db') });
  const app = Fastify({ forceCloseConnections: true });
  await serveApi(app, {
    engine: () => client,
    store,
    users: async () => Object.values(users),
    authenticate: async ({ headers }) => {
      const user = users[headers.authorization?.slice('Bearer '.length) ?? ''];
      if (user) return user;
      throw Object.assign(new Error('wrong token'), { statusCode: 401 });
    },
  });
  const stop = async () => {
    await app.close();
    await store.destroy();
  };
  return {
    app,
    request: async (method, path, body, headers = {}) => {
      const { statusCode, payload } = await app.inject({
        method,
        url: `/ovirt-engine/api${path}`,
        headers: { authorization: 'Bearer admin', 'content-type': 'application/xml', ...headers },
        ...(body !== undefined && { payload: body }),
      });
      return { status: statusCode, text: payload, body: payload.startsWith('<') ? parseXml(payload) : payload };
    },
    restart: async (next) => {
      await stop();
      return startTestApi(next, own);
    },
    close: async () => {
      await stop();
      await rm(own, { recursive: true });
    },
  };
}
