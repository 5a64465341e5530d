import { ProblemError, problem } from '@nova-platform/api';
import type { HttpApi } from '@nova-platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HostJoins } from '../hosts/join.ts';
import type { HostRepository } from '../hosts/repository.ts';
import { ClientLimit } from './client-limit.ts';

/** Concurrent requests of one address: a site may hide many hosts behind one. */
const maxRequests = 128;
export const packagesPath = '/hosts/repository';

/**
 * What a host needs to join, for everyone: nothing of it is secret but the files of a host, which need its token.
 * Administrators replace the repository.
 */
export async function serveHosts(api: HttpApi, joins: HostJoins, repository: HostRepository): Promise<void> {
  const limit = new ClientLimit(maxRequests, { en: 'requests of hosts', ru: 'запросов хостов' });
  const open = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    api.get(url, { schema: { hide: true }, config: { access: 'anyone' } }, async (request, reply) => {
      limit.enter(request, reply);
      return handler(request, reply);
    });

  open('/hosts/ca.pem', async (_request, reply) => reply.type('text/plain').send(await joins.authority()));
  open('/hosts/join', async (_request, reply) => reply.type('text/plain').send(await joins.script()));
  open('/hosts/clock', async (_request, reply) =>
    reply
      .type('text/plain')
      .header('cache-control', 'no-store')
      .send(`${Math.floor(Date.now() / 1000)}\n`),
  );
  open('/hosts/files/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const [, token = ''] = /^Bearer ([\w-]{1,100})$/.exec(request.headers.authorization ?? '') ?? [];
    const archive = await joins.files(name.slice(0, 64), token);
    request.log.info({ node: name }, 'a host joins');
    return reply.type('application/x-tar').header('cache-control', 'no-store').send(archive);
  });
  open('/hosts/repository/*', async (request, reply) => {
    const file = await repository.open((request.params as { '*': string })['*']);
    if (!file) throw new ProblemError(problem('NOVA7034', { method: 'GET', path: '/hosts/repository' }));
    return reply.type('application/octet-stream').header('content-length', file.bytes).send(file.read());
  });

  await api.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The body is an archive, which is never buffered.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.put(packagesPath, { schema: { hide: true }, config: { access: 'admin' } }, async ({ raw }) =>
      repository.store(raw),
    );
  });
}
