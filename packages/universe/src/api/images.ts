import { ProblemError, problem } from '@nova-platform/api';
import type { HttpApi } from '@nova-platform/http';
import type { RegistryClient } from '@nova-platform/registry/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { forward, pathOf } from './forward.ts';

/** The registry's writing side for people: any registry client pushes and pulls here with a token as its password. */
export async function serveImages(api: HttpApi, registry: Pick<RegistryClient, 'access'>): Promise<void> {
  await api.register(async (scope) => {
    // Bodies are layers of images: they go through, and are never held.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const handler = (request: FastifyRequest, reply: FastifyReply) => pass(registry, request, reply);
    const schema = { hide: true };
    for (const url of ['/v2/', '/v2/*']) {
      scope.route({ method: ['GET', 'HEAD'], url, schema, config: { access: 'viewer' }, handler });
      scope.route({
        method: ['POST', 'PATCH'],
        url,
        schema,
        // Of an image only its last part, the manifest, is worth a line.
        config: { access: 'operator', isUnaudited: true },
        handler,
      });
      scope.route({ method: ['PUT', 'DELETE'], url, schema, config: { access: 'operator' }, handler });
    }
  });
}

async function pass(
  registry: Pick<RegistryClient, 'access'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { url, username, password } = await registry.access();
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const { hostname, port } = new URL(url);
  // Only the path is the client's to say: a request may name another server.
  const target = { hostname, port, path: pathOf(request), headers: { authorization, 'x-forwarded-proto': 'https' } };
  return forward(request, reply, target, new ProblemError(problem('NOVA8211', {})));
}
