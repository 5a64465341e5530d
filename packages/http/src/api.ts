import type { ServerOptions } from 'node:https';
import swagger from '@fastify/swagger';
import { formats, ProblemError, problem, type Text } from '@nova-platform/api';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import type { Access } from './contract.ts';
import { problemDetails } from './failure.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** The answer is sent as it comes. */
    isStream?: true;
    /** Left out of the audit trail: it changes nothing, or is a part of something that is in it. */
    isUnaudited?: true;
    target?: string;
    audited?: readonly string[];
    hasDetails?: true;
  }
}

/** Routes take zod schemas, and their handlers' types follow from them. */
export type HttpApi = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface HttpApiOptions {
  title: string;
  bodyLimit?: number;
  /** Milliseconds that a request may take to come. */
  requestTimeout?: number;
  /** Without it, plain HTTP: for local sockets. */
  tls?: ServerOptions;
  /** With it, failures of the server itself are its own business: they are logged, and the client gets a number. */
  logger?: FastifyBaseLogger;
  /** Where the API describes itself. */
  descriptionPath?: string;
}

/** An HTTP API that describes itself in `GET /v1/openapi.json` and answers every failure in the same way. */
export async function createHttpApi({
  title,
  tls,
  logger,
  descriptionPath = '/v1/openapi.json',
  ...limits
}: HttpApiOptions): Promise<HttpApi> {
  const app = Fastify({
    ...limits,
    ...(tls && { https: tls as never }),
    ...(logger && { loggerInstance: logger, logController: new LogController({ disableRequestLogging: true }) }),
    forceCloseConnections: true,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title, version: '1' } },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  app.setErrorHandler((error, request, reply) => {
    const details = problemDetails(asProblems(error) ?? (logger ? loggedFailure(error, request) : error));
    return reply.status(details.status).type('application/problem+json').serializer(JSON.stringify).send(details);
  });
  app.setNotFoundHandler((request) => {
    throw new ProblemError(problem('NOVA7034', { method: request.method, path: request.url.split('?')[0] ?? '' }));
  });
  app.get(descriptionPath, { schema: { hide: true }, config: { access: 'anyone' } }, async () => app.swagger());
  return app.withTypeProvider<ZodTypeProvider>() as HttpApi;
}

/** What went wrong inside may hold anything, secrets as well. */
function loggedFailure(error: unknown, { log, id, method, url }: FastifyRequest): unknown {
  if (((error as { statusCode?: number }).statusCode ?? 500) < 500) return error;
  log.error({ err: error, id, method, path: url.split('?')[0] }, 'a request failed');
  return new ProblemError(problem('NOVA9002', { id }));
}

/** A request that does not fit its schema has a problem for every field that is wrong. */
function asProblems(error: unknown): ProblemError | undefined {
  if (error instanceof ProblemError) return error;
  const { validation } = error as { validation?: { instancePath: string; message: string }[] };
  return (
    validation &&
    new ProblemError(
      ...validation.map(({ instancePath, message }) =>
        problem('NOVA7026', { field: instancePath.slice(1), expected: expectedBy(message) }),
      ),
    )
  );
}

/** A format's name travels as its message; other messages are the validator's own. */
function expectedBy(message: string): Text | string {
  return message in formats ? formats[message as keyof typeof formats].expected : message;
}
