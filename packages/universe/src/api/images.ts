import { ProblemError, problem } from '@nova-platform/api';
import { changesBetween } from '@nova-platform/change/fields';
import type { RegistryClient } from '@nova-platform/contracts/registry/client';
import type { HttpApi } from '@nova-platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { closeUnread } from './access.ts';
import { forward, pathOf } from './forward.ts';
import type { ImageQuota } from './image-quota.ts';

/** The registry for users: any registry client pushes and pulls here with a token as its password. */
export async function serveImages(
  api: HttpApi,
  registry: Pick<RegistryClient, 'access'>,
  quota: ImageQuota,
): Promise<void> {
  await api.register(async (scope) => {
    // Bodies are layers of images: they are streamed, never buffered.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const handler = (request: FastifyRequest, reply: FastifyReply) => pass(registry, quota, request, reply);
    const schema = { hide: true };
    for (const url of ['/v2/', '/v2/*']) {
      scope.route({ method: ['GET', 'HEAD'], url, schema, config: { access: 'viewer' }, handler });
      scope.route({
        method: ['POST', 'PATCH'],
        url,
        schema,
        // The audit trail records only the manifest, the last part of an image.
        config: { access: 'operator', isUnaudited: true },
        handler,
      });
      scope.route({ method: ['PUT', 'DELETE'], url, schema, config: { access: 'operator' }, handler });
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
  if (isUpload) await assertRoom(quota, request, reply);
  const { url, username, password } = await registry.access();
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const { hostname, port } = new URL(url);
  // Use only the path of the request: its URL may name another server.
  const target = { hostname, port, path: pathOf(request), headers: { authorization, 'x-forwarded-proto': 'https' } };
  return forward(request, reply, target, {
    unreachable: new ProblemError(problem('NOVA8211', {})),
    ...(isUpload && { refuse: (bytes) => (quota.take(bytes) ? undefined : quota.exceeded()) }),
    onResponse: ({ 'docker-content-digest': digest }) => {
      if (request.method === 'PUT') request.changes = changesBetween({}, { digest });
    },
  });
}

/** A body of unknown length is counted while it arrives. */
async function assertRoom(quota: ImageQuota, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const least = coding === undefined ? 0 : 1;
  await quota.assertRoom(Math.max(least, Number(length ?? 0))).catch((error: unknown) => {
    closeUnread(request, reply);
    throw error;
  });
}
