import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { ProblemError, problem } from '@nova-platform/api';
import type { HttpApi } from '@nova-platform/http';
import type { RegistryClient } from '@nova-platform/registry/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { changesBetween } from '../changes.ts';
import { closeUnread } from './access.ts';
import type { ImageQuota } from './image-quota.ts';

/** Not ours to hand on: they belong to one connection, or say who asks. */
const ownHeaders = new Set([
  'connection',
  'keep-alive',
  'authorization',
  'cookie',
  'transfer-encoding',
  'upgrade',
  'te',
]);
/** Layers take as long as they take, while something comes. */
const longestSilence = 5 * 60_000;

/** The registry's writing side for people: any registry client pushes and pulls here with a token as its password. */
export async function serveImages(
  api: HttpApi,
  registry: Pick<RegistryClient, 'access'>,
  quota: ImageQuota,
): Promise<void> {
  await api.register(async (scope) => {
    // Bodies are layers of images: they go through, and are never held.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const forward = (request: FastifyRequest, reply: FastifyReply) => pass(registry, quota, request, reply);
    const schema = { hide: true };
    for (const url of ['/v2/', '/v2/*']) {
      scope.route({ method: ['GET', 'HEAD'], url, schema, config: { access: 'viewer' }, handler: forward });
      scope.route({
        method: ['POST', 'PATCH'],
        url,
        schema,
        // Of an image only its last part, the manifest, is worth a line.
        config: { access: 'operator', isUnaudited: true },
        handler: forward,
      });
      scope.route({ method: ['PUT', 'DELETE'], url, schema, config: { access: 'operator' }, handler: forward });
    }
  });
}

async function pass(
  registry: Pick<RegistryClient, 'access'>,
  quota: ImageQuota,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isUpload = ['POST', 'PATCH', 'PUT'].includes(request.method);
  if (isUpload) await demandRoom(quota, request, reply);
  const { url, username, password } = await registry.access();
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name)));
  const outgoing = httpRequest(url, {
    method: request.method,
    // Only the path is the client's to say: a request may name another server.
    path: pathOf(request),
    headers: { ...headers, authorization, 'x-forwarded-proto': 'https' },
  });
  // It may break after its answer, too; then the answer does.
  outgoing.on('error', () => undefined);
  reply.raw.once('close', () => outgoing.destroy());
  request.raw.setTimeout(longestSilence);
  let isTooMuch = false;
  if (isUpload)
    request.raw.on('data', (chunk: Buffer) => {
      if (quota.take(chunk.length)) return;
      isTooMuch = true;
      outgoing.destroy();
    });
  request.raw.pipe(outgoing);
  const [answer] = (await once(outgoing, 'response').catch(() => {
    if (!isTooMuch) throw new ProblemError(problem('NOVA8211', {}));
    closeUnread(request, reply);
    throw quota.exceeded();
  })) as [IncomingMessage];
  const digest = answer.headers['docker-content-digest'];
  if (request.method === 'PUT') request.changes = changesBetween({}, { digest });
  const given = Object.entries(answer.headers).filter(([name]) => !ownHeaders.has(name));
  return reply
    .status(answer.statusCode ?? 502)
    .headers(Object.fromEntries(given))
    .send(answer);
}

/** A body of unknown length is counted as it comes. */
async function demandRoom(quota: ImageQuota, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const least = coding === undefined ? 0 : 1;
  await quota.demandRoom(Math.max(least, Number(length ?? 0))).catch((error: unknown) => {
    closeUnread(request, reply);
    throw error;
  });
}

/** Without the server, where a request names one as for a proxy. */
export function pathOf({ url }: FastifyRequest): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/i, '');
}
