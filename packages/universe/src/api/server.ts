import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import { ProblemError, problem } from '@nova-platform/api';
import { nodeContract, universeContract } from '@nova-platform/contracts/universe';
import { createHttpApi, type HttpApi, serve } from '@nova-platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Parts } from '../universe.ts';
import { guard } from './access.ts';
import { ClientLimit } from './client-limit.ts';
import { serveConsole } from './console.ts';
import { serveEvents } from './events.ts';
import { forward, pathOf } from './forward.ts';
import { universeHandlers } from './handlers.ts';
import { packagesPath, serveHosts } from './hosts.ts';
import { serveImages } from './images.ts';
import { consolePaths, serveMachineConsoles } from './machine-consoles.ts';
import { nodeHandlers } from './node-handlers.ts';

const mebibyte = 1024 * 1024;
/** Milliseconds within which a body must arrive. */
const longestBody = 60_000;
/** Concurrent git requests of one client: each is a process. */
const maxFetches = 4;
/** Layers of images, and packages of hosts. */
const largeBodies = new RegExp(`^(/v2/|${packagesPath}$)`);
/** Milliseconds for in-flight requests to finish when the server stops. Fastify stops with an error after ten seconds. */
const longestEnd = 8_000;

/** The API for users, programs and nodes: with `tls` for the network, without for the local socket. */
export async function createApi(
  parts: Parts,
  tls: SecureContextOptions | undefined,
  consoleFolder?: string,
): Promise<HttpApi> {
  const { users, audit, journal, config, registry, gitSocket, delivery, machines, logger, metrics } = parts;
  const api = await createHttpApi({
    title: 'Nova Universe',
    descriptionPath: '/api/v1/openapi.json',
    bodyLimit: 2 * mebibyte,
    logger,
    webSockets: consolePaths,
    ...(tls && { tls: { ...tls, requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.2' } }),
  });
  api.server.maxConnections = 5000;
  const finishRequests = trackRequests(api);
  const { enrolment, nodes } = config.services;
  const nodeOf = async (serial: string) => {
    const name = await enrolment.nodeOf(serial);
    return name === undefined ? undefined : { name, cluster: (await nodes.one(name))?.cluster };
  };
  const clusterOf = (token: string) => delivery.clusterOf(token);
  const guarded = guard(api, { users, audit, nodeOf, clusterOf }, tls === undefined);
  api.addHook('onResponse', async ({ method, routeOptions: { url = 'none' } }, { statusCode, elapsedTime }) => {
    metrics.requests.observe({ method, route: url, status: String(statusCode) }, elapsedTime / 1000);
  });

  await api.register(
    async (scope) => {
      serve(scope as HttpApi, universeContract, universeHandlers(parts));
      serve(scope as HttpApi, nodeContract, nodeHandlers(parts));
    },
    { prefix: '/api' },
  );
  const fetches = new ClientLimit(maxFetches, { en: 'git fetches', ru: 'запросов git' });
  const git = (request: FastifyRequest, reply: FastifyReply) => {
    fetches.enter(request, reply);
    const target = { socketPath: gitSocket, path: pathOf(request).slice('/git'.length) };
    return forward(request, reply, target, { unreachable: new ProblemError(problem('NOVA8450', {})) });
  };
  await api.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // The release is open to every node and cluster, everything else to nodes of its own cluster.
    for (const [url, access] of [
      ['/git/release.git/*', 'release'],
      ['/git/:cluster.git/*', 'node'],
    ] as const) {
      const route = { url, schema: { hide: true }, handler: git };
      scope.route({ ...route, method: 'GET', config: { access } });
      // Fetching is a POST, but changes nothing.
      scope.route({ ...route, method: 'POST', config: { access, isUnaudited: true } });
    }
  });
  serveEvents(api, journal, '/api/v1/events');
  serveMachineConsoles(api, machines, guarded);
  // Streams and consoles end first when the server stops: it would wait for them.
  api.addHook('preClose', finishRequests);
  await serveImages(api, registry, parts.imageQuota);
  await serveHosts(api, parts.joins, parts.hostRepository);
  if (consoleFolder !== undefined) serveConsole(api, consoleFolder);
  api.get('/metrics', { schema: { hide: true }, config: { access: 'viewer' } }, async (_request, reply) =>
    reply
      .type('text/plain')
      .send(`${await metrics.registry.metrics()}${await config.services.metrics.registry.metrics()}`),
  );
  return api;
}

/** Aborts slow bodies. Returns a function that lets in-flight requests finish for a while, and ends the others. */
function trackRequests(api: HttpApi): () => Promise<void> {
  const open = new Set<ServerResponse>();
  api.addHook('onRequest', async ({ raw: request, url }, { raw: response }) => {
    const timer = setTimeout(() => {
      if (!request.complete && !largeBodies.test(url)) request.destroy();
    }, longestBody);
    open.add(response);
    response.once('close', () => {
      clearTimeout(timer);
      open.delete(response);
    });
  });
  return async () => {
    const end = Date.now() + longestEnd;
    while (open.size > 0 && Date.now() < end) await sleep(10);
    // Closing the server does not close connections of handshakes.
    for (const { socket } of open) socket?.destroy();
  };
}
