import type { TLSSocket } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { describe, ProblemError, problem } from '@nova-platform/api';
import { environment, type Facts } from '@nova-platform/catalog';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Services } from './manager.ts';
import { readReport } from './reports.ts';

export interface AgentApiOptions {
  tls: { key: string; cert: string; ca: string };
  logger: FastifyBaseLogger;
  /** Milliseconds a client may take to send its body. */
  bodyTimeout: number;
}

const kibibyte = 1024;
const nodeName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
/** A run's log comes as it is written, so that request may take as long as the run. */
const longestRun = 3600_000;
const longestWait = 60;
const idleTimeout = 120_000;

type NodeRequest = FastifyRequest<{ Params: { name: string } }>;

/** The endpoints that stock agents and the node's own scripts speak to; everything else is refused. */
export function createAgentApi(services: Services, { tls, logger, bodyTimeout }: AgentApiOptions): FastifyInstance {
  const { enrolment, catalogs, nodes, reports, orders, serviceCertificates, sharedKeys, authorities, metrics } =
    services;
  const app = Fastify({
    https: {
      ...tls,
      requestCert: true,
      // Enrolment comes before a certificate; whoever needs one is checked below.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      handshakeTimeout: 10_000,
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

  // A client that sends its body slowly holds a connection, and that only for a while.
  app.addHook('onRequest', async (request) => {
    const timer = setTimeout(() => request.raw.destroy(), bodyTimeout);
    timers.set(request, timer);
  });
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  app.addHook('preValidation', async (request) => clearTimeout(timers.get(request)));
  app.addHook('onResponse', async (request, reply) => {
    clearTimeout(timers.get(request));
    const route = request.routeOptions.url ?? 'none';
    metrics.requests.observe({ route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ProblemError) return refuse(error, request, reply);
    const { statusCode = 500, message } = error as { statusCode?: number; message: string };
    if (statusCode >= 500) request.log.error({ err: error }, 'a request failed');
    return reply
      .status(statusCode)
      .type('text/plain')
      .send(statusCode >= 500 ? 'The server failed.' : message);
  });

  function refuse(error: ProblemError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const [first] = error.problems;
    const code = first?.code ?? 'NOVA9001';
    metrics.refusals.inc({ code });
    request.log.warn(
      {
        code,
        path: request.url.split('?')[0]?.slice(0, 300),
        address: request.ip,
        reason: first && describe(first, 'en').message,
      },
      'refused',
    );
    // Whoever is refused while still sending is not listened to any longer.
    if (!request.raw.complete) {
      reply.header('connection', 'close');
      reply.raw.once('finish', () => request.raw.destroy());
    }
    const { message, remedy } = first ? describe(first, 'en') : { message: '', remedy: '' };
    return reply.status(statusOf(code)).type('text/plain').send(`${code} ${message} ${remedy}`);
  }

  /** The node that asks, by its certificate; it asks for itself or not at all. */
  async function demandSelf(request: NodeRequest): Promise<string> {
    const node = await demandNode(request);
    const { name } = request.params;
    if (node !== name) throw new ProblemError(problem('NOVA8021', { node, other: name.slice(0, 64) }));
    return node;
  }

  async function demandNode(request: FastifyRequest): Promise<string> {
    const serial = serialOf(request.raw.socket as TLSSocket);
    const node = serial === undefined ? undefined : await enrolment.nodeOf(serial);
    if (node === undefined) throw new ProblemError(problem('NOVA8020', {}));
    return node;
  }

  // Enrolment: before there is a certificate, so for anybody.
  app.get('/puppet-ca/v1/certificate/ca', async (_request, reply) =>
    reply.type('text/plain').send(await authorities.bundle()),
  );
  app.get('/puppet-ca/v1/certificate_revocation_list/ca', async (_request, reply) =>
    reply.type('text/plain').send(await authorities.revocationLists()),
  );
  app.put(
    '/puppet-ca/v1/certificate_request/:name',
    { bodyLimit: 16 * kibibyte },
    async (request: NodeRequest, reply) => {
      const name = demandName(request.params.name);
      await enrolment.enrol(name, bodyOf(request));
      metrics.enrolments.inc();
      request.log.info({ node: name }, 'enrolled');
      return reply.type('text/plain').send('');
    },
  );
  app.get('/puppet-ca/v1/certificate/:name', async (request: NodeRequest, reply) => {
    const certificate = await enrolment.certificateOf(demandName(request.params.name));
    return reply
      .type('text/plain')
      .status(certificate ? 200 : 404)
      .send(certificate ?? 'There is no such certificate.');
  });
  app.post('/puppet-ca/v1/certificate_renewal', async (request, reply) =>
    reply.type('text/plain').send(await enrolment.renew(await demandNode(request))),
  );
  app.get('/status/v1/simple', async (_request, reply) => reply.type('text/plain').send('running'));
  app.get('/status/v1/simple/:service', async (_request, reply) => reply.type('text/plain').send('running'));

  // A run: who am I, which plugins, which catalog, which files, and what came of it.
  app.get('/puppet/v3/node/:name', async (request: NodeRequest) => {
    const name = await demandSelf(request);
    return { name, environment, parameters: {}, classes: {} };
  });
  // We have no plugins; an empty list or a failure would end the run.
  for (const mount of ['plugins', 'pluginfacts', 'locales']) {
    app.get(`/puppet/v3/file_metadatas/${mount}`, async (request) => {
      await demandNode(request);
      return [emptyFolder];
    });
  }
  const catalog = async (request: NodeRequest, reply: FastifyReply) => {
    const name = await demandSelf(request);
    const { facts, text } = readFacts(bodyOf(request), name);
    const served = await catalogs.served(name, facts);
    nodes.saw(name, text);
    if (!served) throw new ProblemError(problem('NOVA8011', { node: name }));
    reply.type('application/json');
    if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
      return reply.header('content-encoding', 'gzip').send(served.body);
    }
    return reply.send(gunzipSync(served.body));
  };
  app.post('/puppet/v3/catalog/:name', { bodyLimit: 2048 * kibibyte }, catalog);
  for (const kind of ['static_file_content', 'file_content']) {
    app.get(
      `/puppet/v3/${kind}/nova/:checksum`,
      async (request: FastifyRequest<{ Params: { checksum: string } }>, reply) => {
        const content = await catalogs.file(await demandNode(request), request.params.checksum);
        if (content === undefined) return reply.status(404).type('text/plain').send('There is no such content.');
        return reply.type('application/octet-stream').send(Buffer.from(content));
      },
    );
  }
  app.put('/puppet/v3/report/:name', { bodyLimit: 8192 * kibibyte }, async (request: NodeRequest) => {
    const name = await demandSelf(request);
    const report = readReport(parseJson(bodyOf(request)));
    await reports.store(name, report);
    metrics.reports.inc({ status: report.status });
    request.log.info({ node: name, status: report.status, ...report.resources, seconds: report.seconds }, 'report');
    return [];
  });

  // Ours: what the node's own scripts ask for, under the same identity.
  app.get(
    '/nova/v1/nodes/:name/order',
    async (request: FastifyRequest<{ Params: { name: string }; Querystring: { wait?: string } }>, reply) => {
      const name = await demandSelf(request);
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      const seconds = Math.min(longestWait, Math.max(0, Number(request.query.wait ?? 0) || 0));
      const order = await orders.take(name, seconds * 1000, left.signal);
      reply.type('text/plain');
      return order ? reply.send(`${order.isNoop ? 'noop' : 'run'} ${order.id}\n`) : reply.status(204).send();
    },
  );
  app.post(
    '/nova/v1/nodes/:name/certificates/:certificate',
    { bodyLimit: 16 * kibibyte },
    async (request: FastifyRequest<{ Params: { name: string; certificate: string } }>, reply) => {
      const name = await demandSelf(request);
      const { certificate } = request.params;
      const pem = await serviceCertificates.issue(await planOf(name), name, certificate, bodyOf(request));
      request.log.info({ node: name, certificate }, 'certificate');
      return reply.type('text/plain').send(pem);
    },
  );
  app.get(
    '/nova/v1/nodes/:name/keys/:key',
    async (request: FastifyRequest<{ Params: { name: string; key: string } }>, reply) => {
      const name = await demandSelf(request);
      const { key } = request.params;
      const value = await sharedKeys.read(await planOf(name), name, key);
      request.log.info({ node: name, key }, 'shared key');
      return reply.type('text/plain').header('cache-control', 'no-store').send(value);
    },
  );
  app.register(async (streams) => {
    streams.removeAllContentTypeParsers();
    streams.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    streams.put(
      '/nova/v1/nodes/:name/orders/:order/log',
      { bodyLimit: 8192 * kibibyte },
      async (request: FastifyRequest<{ Params: { name: string; order: string } }>, reply) => {
        const name = await demandSelf(request);
        // Not a word may come for a long while, from a node that is busy.
        const { socket } = request.raw;
        socket.setTimeout(longestRun).setKeepAlive(true, 30_000);
        reply.raw.once('close', () => socket.setTimeout(idleTimeout));
        await followLog(services, name, request.params.order, request.raw);
        return reply.status(204).send();
      },
    );
  });

  async function planOf(node: string) {
    const plan = await catalogs.planOf(node);
    if (!plan) throw new ProblemError(problem('NOVA8011', { node }));
    return plan;
  }
  return app;
}

/** Passes a run's log on, line by line; its last line is the agent's exit code. */
async function followLog(
  { orders }: Services,
  node: string,
  order: string,
  body: NodeJS.ReadableStream,
): Promise<void> {
  orders.started(order, node);
  let rest = '';
  let size = 0;
  let exitCode: number | undefined;
  try {
    for await (const chunk of body.setEncoding('utf8') as AsyncIterable<string>) {
      size += chunk.length;
      if (!orders.isRunning(order, node) || size > 8192 * kibibyte) continue;
      const lines = (rest + chunk).split('\n');
      rest = (lines.pop() ?? '').slice(0, 64 * kibibyte);
      for (const line of lines) {
        const [, code] = /^exit (\d+)$/.exec(line) ?? [];
        if (code === undefined) orders.log(order, node, line);
        else exitCode = Number(code);
      }
    }
  } finally {
    orders.end(order, node, exitCode);
  }
}

/** Facts come as a form: JSON, encoded twice. */
function readFacts(body: string, name: string): { facts: Facts; text: string } {
  const encoded = new URLSearchParams(body).get('facts');
  const facts = encoded === null ? undefined : parseJson(decode(encoded));
  const values = (facts as { values?: unknown } | null | undefined)?.values;
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new ProblemError(
      problem('NOVA8025', { reason: { en: `it has no facts of ${name}`, ru: `в нём нет фактов узла ${name}` } }),
    );
  }
  return { facts: values as Facts, text: textOf(values) };
}

function textOf(values: object): string {
  try {
    return JSON.stringify(values);
  } catch {
    throw new ProblemError(
      problem('NOVA8025', { reason: { en: 'it is nested too deep', ru: 'слишком глубокая вложенность' } }),
    );
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ProblemError(
      problem('NOVA8025', { reason: { en: 'it is not encoded right', ru: 'неверная кодировка' } }),
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProblemError(problem('NOVA8025', { reason: { en: 'it is not JSON', ru: 'это не JSON' } }));
  }
}

function demandName(name: string): string {
  if (!nodeName.test(name) || name === 'ca') throw new ProblemError(problem('NOVA8010', { node: name.slice(0, 64) }));
  return name;
}

function bodyOf(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

const serials = new WeakMap<TLSSocket, string>();

/** The serial number of a certificate that our authority vouches for. */
function serialOf(socket: TLSSocket): string | undefined {
  if (!socket.authorized) return undefined;
  const known = serials.get(socket) ?? socket.getPeerX509Certificate()?.serialNumber;
  if (known !== undefined) serials.set(socket, known);
  return known;
}

function statusOf(code: string): number {
  if (code === 'NOVA8010' || code === 'NOVA8011' || code === 'NOVA8024') return 404;
  // A request for a certificate that is answered with 400 would count as one that waits to be signed.
  return code === 'NOVA8025' ? 400 : 403;
}

const emptyFolder = {
  path: '/',
  relative_path: '.',
  links: 'follow',
  owner: 0,
  group: 0,
  mode: 0o755,
  checksum: { type: 'ctime', value: '{ctime}2020-01-01 00:00:00 +0000' },
  type: 'directory',
  destination: null,
};
