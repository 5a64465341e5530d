import type { TLSSocket } from 'node:tls';
import { describe, errors, ProblemError, problem } from '@nova-platform/api';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Services } from '../manager.ts';
import { kibibyte } from './bodies.ts';
import { enrolmentRoutes } from './enrolment-routes.ts';
import { idleTimeout, longestRun } from './limits.ts';
import { nodeRoutes } from './node-routes.ts';
import { runRoutes } from './run-routes.ts';

export interface AgentApiOptions {
  tls: { key: string; cert: string; ca: string };
  logger: FastifyBaseLogger;
  /** Milliseconds a client may take to send its body. */
  bodyTimeout: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, by its certificate; only where one is demanded. */
    node: string;
  }
}

/** The endpoints that stock agents and the node's own scripts speak to; everything else is refused. */
export function createAgentApi(services: Services, { tls, logger, bodyTimeout }: AgentApiOptions): FastifyInstance {
  const app = Fastify({
    https: {
      ...tls,
      requestCert: true,
      // Enrolment comes before a certificate; whoever needs one is checked below.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      handshakeTimeout: 30_000,
      maxHeaderSize: 16 * kibibyte,
    },
    loggerInstance: logger,
    // Refusals and what nodes got are logged below, in words of ours.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 64 * kibibyte,
    requestTimeout: longestRun,
    keepAliveTimeout: 75_000,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300 },
  }) as unknown as FastifyInstance;
  app.server.maxConnections = 20_000;
  app.server.setTimeout(idleTimeout);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.decorateRequest('node', '');
  cutOffSlowClients(app, bodyTimeout);
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    services.metrics.requests.observe({ route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ProblemError) return refuse(services, error, request, reply);
    const { statusCode = 500, message } = error as { statusCode?: number; message: string };
    if (statusCode >= 500) request.log.error({ err: error }, 'a request failed');
    const text = statusCode >= 500 ? 'The server failed.' : message;
    return reply.status(statusCode).type('text/plain').send(text);
  });

  app.register(async (open) => enrolmentRoutes(open, services));
  app.register(async (returning) => renewalRoute(returning, services));
  app.register(async (identified) => {
    // Before a byte of the body is read.
    identified.addHook('onRequest', async (request) => {
      request.node = await demandIdentity(services, request);
    });
    runRoutes(identified, services);
    nodeRoutes(identified, services);
  });
  return app;
}

/** A client that sends its body slowly holds a connection, and that only for a while. */
function cutOffSlowClients(app: FastifyInstance, bodyTimeout: number): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  app.addHook('onRequest', async (request) => {
    timers.set(
      request,
      setTimeout(() => request.raw.destroy(), bodyTimeout),
    );
  });
  const arrived = async (request: FastifyRequest) => clearTimeout(timers.get(request));
  app.addHook('preValidation', arrived);
  app.addHook('onResponse', arrived);
}

function refuse(
  { metrics }: Services,
  error: ProblemError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const [first = problem('NOVA9001', { reason: error.message })] = error.problems;
  const { message, remedy } = describe(first, 'en');
  const path = request.url.split('?')[0]?.slice(0, 300);
  metrics.refusals.inc({ code: first.code });
  request.log.warn({ code: first.code, path, address: request.ip, reason: message }, 'refused');
  // Whoever is refused while still sending is not listened to any longer.
  if (!request.raw.complete) {
    reply.header('connection', 'close');
    reply.raw.once('finish', () => request.raw.destroy());
  }
  const { status } = errors[first.code];
  // Puppet's protocol has no 422. 400 for a certificate request would mean that it waits to be signed.
  return reply
    .status(status === 422 ? 403 : status)
    .type('text/plain')
    .send(`${first.code} ${message} ${remedy}`);
}

/** A new certificate for a node's own, also when that ended while the node was off. */
function renewalRoute(app: FastifyInstance, { enrolment }: Services): void {
  const shownBy = ({ raw }: FastifyRequest) => (raw.socket as TLSSocket).getPeerX509Certificate();
  // Before a byte of the body is read.
  app.addHook('onRequest', async (request) => {
    const shown = shownBy(request);
    const node = shown && (await enrolment.returningNode(shown));
    if (node === undefined) throw new ProblemError(problem('NOVA8020', {}));
    request.node = node;
  });
  app.post('/puppet-ca/v1/certificate_renewal', async (request, reply) => {
    const { node, log } = request;
    const certificate = await enrolment.renew(node, shownBy(request)?.serialNumber ?? '');
    log.info({ node }, 'identity');
    return reply.type('text/plain').send(certificate);
  });
}

/** The node that asks, by its certificate. Where the path names a node, it asks for itself or not at all. */
async function demandIdentity({ enrolment }: Services, request: FastifyRequest): Promise<string> {
  const serial = serialOf(request.raw.socket as TLSSocket);
  const node = serial === undefined ? undefined : await enrolment.nodeOf(serial);
  if (node === undefined) throw new ProblemError(problem('NOVA8020', {}));
  const { name = node } = request.params as { name?: string };
  if (node !== name) throw new ProblemError(problem('NOVA8021', { node, other: name.slice(0, 64) }));
  return node;
}

const serials = new WeakMap<TLSSocket, string>();

/** The serial number of a certificate that our authority vouches for. */
function serialOf(socket: TLSSocket): string | undefined {
  if (!socket.authorized) return undefined;
  const known = serials.get(socket) ?? socket.getPeerX509Certificate()?.serialNumber;
  if (known !== undefined) serials.set(socket, known);
  return known;
}
