import type { Server } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, problem } from '@nova-platform/api';
import { EngineIdentity } from '@nova-platform/contracts/engine/identity';
import { createKeyPair } from '@nova-platform/pki';
import { migrate, openStore } from '@nova-platform/store';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Kysely } from 'kysely';
import { authenticate } from './access/authenticate.ts';
import { type AccessSchema, accessMigrations } from './access/schema.ts';
import { serveSso } from './access/sso.ts';
import { Users } from './access/users.ts';
import { serveAdmin } from './admin.ts';
import { serveApi } from './api/serve.ts';
import { serveIdentity } from './networking/identity.ts';
import { Networking } from './networking/networking.ts';
import { type NetworkingSchema, networkingMigrations } from './networking/schema.ts';
import { serveNetworking } from './networking/serve.ts';

export interface OvirtOptions {
  /** A folder for everything that it stores. */
  folder: string;
  listen: { host: string; port: number };
  /** The socket for root. */
  socket: string;
  version: string;
  logger: FastifyBaseLogger;
  /** Milliseconds between attempts to reach the engine at the start. */
  retryEvery?: number;
}

const hour = 3600_000;
// A machine with its cloud-init configuration, escaped in XML.
const bodyLimit = 4 * 1024 * 1024;
const maxConnections = 256;

/** A running API. */
export interface Ovirt {
  /** Resolves with the port once the API is served: the engine has to issue its certificate first. */
  served: Promise<number>;
  close: () => Promise<void>;
}

export async function startOvirt(options: OvirtOptions): Promise<Ovirt> {
  const { folder, listen, socket, version, logger, retryEvery = 1000 } = options;
  const store = await openStore<AccessSchema & NetworkingSchema>({ kind: 'sqlite', file: `${folder}/ovirt.db` });
  await migrate(store, 'access', accessMigrations);
  await migrate(store, 'networking', networkingMigrations);
  const users = new Users(store);
  const engine = await EngineIdentity.open('nova-ovirt', `${folder}/engine`);
  const stopping = new AbortController();
  const url = `https://${listen.host}:${listen.port}`;
  let api: FastifyInstance | undefined;

  const admin = await serveAdmin({ users, engine, socket, version, url, isServed: () => api !== undefined, logger });

  const serve = async (): Promise<number> => {
    const secure = await retried(() => certified(engine), { every: retryEvery, logger, signal: stopping.signal });
    const app = await createApi({ store, users, engine, url, secure, logger });
    await app.listen(listen);
    api = app;
    const renewal = setInterval(() => {
      engine
        .renew()
        .then(() => certified(engine))
        .then((renewed) => (app.server as unknown as Server).setSecureContext(renewed))
        .catch((error: unknown) => logger.error({ err: error }, 'the certificates could not be renewed'));
    }, hour);
    stopping.signal.addEventListener('abort', () => clearInterval(renewal));
    const { port } = app.server.address() as { port: number };
    logger.info({ url }, 'the API is served');
    return port;
  };

  return {
    served: serve(),
    close: async () => {
      stopping.abort();
      await Promise.all([api?.close(), admin.close()]);
      await store.destroy();
    },
  };
}

interface ApiParts {
  store: Kysely<AccessSchema & NetworkingSchema>;
  users: Users;
  engine: EngineIdentity;
  url: string;
  secure: Awaited<ReturnType<typeof certified>>;
  logger: FastifyBaseLogger;
}

/** The API for clients. Its parts have their own formats of bodies and errors. */
async function createApi({ store, users, engine, url, secure, logger }: ApiParts): Promise<FastifyInstance> {
  const app = Fastify({
    https: { ...secure, handshakeTimeout: 10_000 },
    bodyLimit,
    requestTimeout: 30_000,
    // Some requests wait for a machine to boot.
    connectionTimeout: 10 * 60_000,
    keepAliveTimeout: 30_000,
    forceCloseConnections: true,
    // Clients join paths with two slashes.
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true },
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.server.maxConnections = maxConnections;
  // What the parts do not handle: an internal error may contain anything, so clients do not see it.
  app.setErrorHandler((error, { id, log, method, url: path }, reply) => {
    if (((error as { statusCode?: number }).statusCode ?? 500) < 500) throw error;
    log.error({ err: error, method, path: path.split('?')[0] }, 'a request failed');
    const { message, remedy } = describe(problem('NOVA9002', { id }), 'en');
    return reply.status(500).send({ error: `${message} ${remedy}` });
  });
  const client = () => engine.client();
  const options = { authenticate: authenticate.bind(undefined, users) };
  const networking = new Networking(client, store);
  const [identityUrl, networkingUrl] = [`${url}/identity`, `${url}/networking`];

  app.get<{ Querystring: { resource?: string } }>('/ovirt-engine/services/pki-resource', async ({ query }, reply) => {
    if (query.resource !== 'ca-certificate') return reply.callNotFound();
    return reply.type('application/x-x509-ca-cert').send(secure.authority);
  });
  await app.register(async (scope) => serveSso(scope, users));
  await app.register(async (scope) =>
    serveApi(scope, { ...options, engine: client, store, users: () => users.list() }),
  );
  await app.register(async (scope) => serveIdentity(scope, { users, url: identityUrl, networkingUrl }), {
    prefix: '/identity',
  });
  await app.register(async (scope) => serveNetworking(scope, { ...options, networking, url: networkingUrl }), {
    prefix: '/networking',
  });
  return app;
}

/** The key is never stored: every certificate is for a new one. */
async function certified(engine: EngineIdentity) {
  const { privateKey, publicKey } = await createKeyPair();
  const { certificate, authority } = await engine.client().certifyServer(publicKey);
  return { key: privateKey, cert: certificate, authority, minVersion: 'TLSv1.2' as const };
}

/** The engine may start later, or restart. */
async function retried<T>(
  work: () => Promise<T>,
  { every, logger, signal }: { every: number; logger: FastifyBaseLogger; signal: AbortSignal },
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ reason: (error as Error).message }, 'waiting for the engine');
      await sleep(every, undefined, { signal });
    }
  }
}
