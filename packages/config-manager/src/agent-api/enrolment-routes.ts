import { ProblemError, problem } from '@nova-platform/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../manager.ts';
import { bodyOf, kibibyte } from './bodies.ts';

type NamedRequest = FastifyRequest<{ Params: { name: string } }>;

const nodeName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Routes for clients without a certificate, so open to everyone. */
export function enrolmentRoutes(app: FastifyInstance, { authorities, enrolment, metrics }: Services): void {
  app.get('/puppet-ca/v1/certificate/ca', async (_request, reply) =>
    reply.type('text/plain').send(await authorities.bundle()),
  );
  app.get('/puppet-ca/v1/certificate_revocation_list/ca', async (_request, reply) =>
    reply.type('text/plain').send(await authorities.revocationLists()),
  );
  const options = { bodyLimit: 16 * kibibyte };
  app.put('/puppet-ca/v1/certificate_request/:name', options, async (request: NamedRequest, reply) => {
    const name = assertName(request.params.name);
    await enrolment.enrol(name, bodyOf(request));
    metrics.enrolments.inc();
    request.log.info({ node: name }, 'enrolled');
    return reply.type('text/plain').send('');
  });
  app.get('/puppet-ca/v1/certificate/:name', async (request: NamedRequest, reply) => {
    const certificate = await enrolment.certificateOf(assertName(request.params.name));
    reply.type('text/plain');
    return certificate ? reply.send(certificate) : reply.status(404).send('There is no such certificate.');
  });
  for (const path of ['/status/v1/simple', '/status/v1/simple/:service']) {
    app.get(path, async (_request, reply) => reply.type('text/plain').send('running'));
  }
}

function assertName(name: string): string {
  if (!nodeName.test(name) || name === 'ca') throw new ProblemError(problem('NOVA8010', { node: name.slice(0, 64) }));
  return name;
}
