import { gunzipSync } from 'node:zlib';
import { ProblemError, problem } from '@nova-platform/api';
import { environment } from '@nova-platform/catalog';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../manager.ts';
import { readReport } from '../reports.ts';
import { bodyOf, kibibyte, readFacts, readJson } from './bodies.ts';

/** The requests of a stock agent's run: node, plugins, catalog, files, report. */
export function runRoutes(app: FastifyInstance, { catalogs, metrics, nodes, reports }: Services): void {
  app.get('/puppet/v3/node/:name', async ({ node }) => ({ name: node, environment, parameters: {}, classes: {} }));
  // There are no plugins. An empty list or an error would end the run.
  for (const mount of ['plugins', 'pluginfacts', 'locales']) {
    app.get(`/puppet/v3/file_metadatas/${mount}`, async () => [emptyFolder]);
  }
  app.post('/puppet/v3/catalog/:name', { bodyLimit: 2048 * kibibyte }, async (request, reply) => {
    const { node } = request;
    const facts = readFacts(bodyOf(request), node);
    const served = await catalogs.served(node, facts);
    nodes.saw(node, facts);
    if (!served) throw new ProblemError(problem('NOVA8011', { node }));
    reply.type('application/json');
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    return takesGzip ? reply.header('content-encoding', 'gzip').send(served.body) : reply.send(gunzipSync(served.body));
  });
  for (const kind of ['static_file_content', 'file_content']) {
    type ContentRequest = FastifyRequest<{ Params: { checksum: string } }>;
    app.get(`/puppet/v3/${kind}/nova/:checksum`, async ({ node, params }: ContentRequest, reply) => {
      const content = await catalogs.file(node, params.checksum);
      if (content === undefined) return reply.status(404).type('text/plain').send('There is no such content.');
      return reply.type('application/octet-stream').send(Buffer.from(content));
    });
  }
  app.put('/puppet/v3/report/:name', { bodyLimit: 8192 * kibibyte }, async (request) => {
    const { node } = request;
    const report = readReport(readJson(bodyOf(request)));
    await reports.store(node, report);
    metrics.reports.inc({ status: report.status });
    request.log.info({ node, status: report.status, ...report.resources, seconds: report.seconds }, 'report');
    return [];
  });
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
