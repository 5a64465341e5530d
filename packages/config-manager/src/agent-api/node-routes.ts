import { ProblemError, problem } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../manager.ts';
import { bootReport } from '../reports.ts';
import { bodyOf, kibibyte } from './bodies.ts';
import { idleTimeout, longestRun } from './limits.ts';

const longestWait = 60;
const longestLog = 8192 * kibibyte;

/** Routes for the node's own scripts, which use the agent's identity. */
export function nodeRoutes(app: FastifyInstance, services: Services): void {
  const { catalogs, orders, reports, serviceCertificates, sharedKeys } = services;

  type OrderRequest = FastifyRequest<{ Querystring: { wait?: string } }>;
  app.get('/nova/v1/nodes/:name/order', async ({ node, query }: OrderRequest, reply) => {
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const seconds = Math.min(longestWait, Math.max(0, Number(query.wait ?? 0) || 0));
    const order = await orders.take(node, seconds * 1000, left.signal);
    reply.type('text/plain');
    return order ? reply.send(`${order.action} ${order.id}\n`) : reply.status(204).send();
  });

  type BootRequest = FastifyRequest<{ Querystring: { virtual?: string } }>;
  app.get('/nova/v1/nodes/:name/boot', async ({ node, query, log }: BootRequest, reply) => {
    const virtual = query.virtual === 'container_other' ? query.virtual : 'physical';
    const archive = await catalogs.bootArchive(node, { virtual });
    if (!archive) return reply.status(404).type('text/plain').send('Only an agent can apply this catalog.');
    log.info({ node }, 'boot archive');
    return reply.type('application/x-tar').header('cache-control', 'no-store').send(archive);
  });

  type BootReport = FastifyRequest<{ Params: { catalog: string }; Querystring: { exit?: string; seconds?: string } }>;
  app.post('/nova/v1/nodes/:name/boot/:catalog', { bodyLimit: 256 * kibibyte }, async (request: BootReport, reply) => {
    const { node, params, query, log } = request;
    const report = bootReport(params.catalog, query, bodyOf(request));
    await reports.store(node, report);
    log.info({ node, status: report.status, seconds: report.seconds }, 'boot');
    return reply.status(204).send();
  });

  type CertificateRequest = FastifyRequest<{ Params: { certificate: string } }>;
  const options = { bodyLimit: 16 * kibibyte };
  app.post('/nova/v1/nodes/:name/certificates/:certificate', options, async (request: CertificateRequest, reply) => {
    const { node, params } = request;
    const plan = await assertPlan(services, node);
    const pem = await serviceCertificates.issue(plan, node, params.certificate, bodyOf(request));
    request.log.info({ node, certificate: params.certificate }, 'certificate');
    return reply.type('text/plain').send(pem);
  });

  type KeyRequest = FastifyRequest<{ Params: { key: string } }>;
  app.get('/nova/v1/nodes/:name/keys/:key', async ({ node, params, log }: KeyRequest, reply) => {
    const value = await sharedKeys.read(await assertPlan(services, node), node, params.key);
    log.info({ node, key: params.key }, 'shared key');
    return reply.type('text/plain').header('cache-control', 'no-store').send(value);
  });

  app.register(async (streams) => {
    streams.removeAllContentTypeParsers();
    streams.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    type LogRequest = FastifyRequest<{ Params: { order: string } }>;
    streams.put('/nova/v1/nodes/:name/orders/:order/log', async ({ node, params, raw }: LogRequest, reply) => {
      // A busy node may send no line for a long time.
      raw.socket.setTimeout(longestRun).setKeepAlive(true, 30_000);
      reply.raw.once('close', () => raw.socket.setTimeout(idleTimeout));
      await followLog(services, node, params.order, raw);
      return reply.status(204).send();
    });
  });
}

/** Forwards the log of a run line by line. The last line is the agent's exit code. */
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
      if (!orders.isRunning(order, node) || size > longestLog) continue;
      const lines = (rest + chunk).split('\n');
      rest = (lines.pop() ?? '').slice(0, 64 * kibibyte);
      for (const line of lines) {
        const [, code] = /^exit (\d+)$/.exec(line) ?? [];
        if (code === undefined) orders.log(order, node, line);
        else exitCode = Number(code);
      }
    }
  } catch {
    // The node disconnected; the waiting client gets the result below.
  } finally {
    orders.end(order, node, exitCode);
  }
}

async function assertPlan({ catalogs }: Services, node: string): Promise<ClusterPlan> {
  const plan = await catalogs.planOf(node);
  if (!plan) throw new ProblemError(problem('NOVA8011', { node }));
  return plan;
}
