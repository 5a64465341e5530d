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
  /** Milliseconds within which a client must send its body. */
  bodyTimeout: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The node that the client certificate identifies. Only set on routes that require one. */
    node: string;
  }
}

/** The endpoints for stock agents and the node's own scripts. All other requests are rejected. */
export function createAgentApi(services: Services, { tls, logger, bodyTimeout }: AgentApiOptions): FastifyInstance {
  const app = Fastify({
    https: {
      ...tls,
      requestCert: true,
      // Clients have no certificate before enrolment. Routes that require one check it below.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      handshakeTimeout: 30_000,
      maxHeaderSize: 16 * kibibyte,
    },
    loggerInstance: logger,
    // Rejections and results are logged below, in our own words.
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
    // Before the body is read.
    identified.addHook('onRequest', async (request) => {
      request.node = await assertIdentity(services, request);
    });
    runRoutes(identified, services);
    nodeRoutes(identified, services);
  });
  return app;
}

/** A slow upload holds a connection only for a limited time. */
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
  // Stop reading from a rejected client that is still sending.
  if (!request.raw.complete) {
    reply.header('connection', 'close');
    reply.raw.once('finish', () => request.raw.destroy());
  }
  const { status } = errors[first.code];
  // Puppet's protocol has no 422. For a certificate request, 400 would mean that it waits for a signature.
  return reply
    .status(status === 422 ? 403 : status)
    .type('text/plain')
    .send(`${first.code} ${message} ${remedy}`);
}

/** Issues a new certificate to a node with its old one, even if that expired while the node was off. */
function renewalRoute(app: FastifyInstance, { enrolment }: Services): void {
  const shownBy = ({ raw }: FastifyRequest) => (raw.socket as TLSSocket).getPeerX509Certificate();
  // Before the body is read.
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

/** The node that the client certificate identifies. A node in the path must be the same. */
async function assertIdentity({ enrolment }: Services, request: FastifyRequest): Promise<string> {
  const serial = serialOf(request.raw.socket as TLSSocket);
  const node = serial === undefined ? undefined : await enrolment.nodeOf(serial);
  if (node === undefined) throw new ProblemError(problem('NOVA8020', {}));
  const { name = node } = request.params as { name?: string };
  if (node !== name) throw new ProblemError(problem('NOVA8021', { node, other: name.slice(0, 64) }));
  return node;
}

const serials = new WeakMap<TLSSocket, string>();

/** The serial number of a client certificate that our CA has signed. */
function serialOf(socket: TLSSocket): string | undefined {
  if (!socket.authorized) return undefined;
  const known = serials.get(socket) ?? socket.getPeerX509Certificate()?.serialNumber;
  if (known !== undefined) serials.set(socket, known);
  return known;
}
