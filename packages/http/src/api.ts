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
import { acceptHandshakes, routeHandshakes } from './upgrade.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** The response is streamed. */
    isStream?: true;
    /** Not in the audit trail: the call changes nothing, or belongs to a call that is audited. */
    isUnaudited?: true;
    target?: string;
    audited?: readonly string[];
    hasDetails?: true;
  }
}

/** Routes take zod schemas. The types of their handlers follow from the schemas. */
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
  /** Milliseconds within which a request must arrive completely. */
  requestTimeout?: number;
  /** Plain HTTP without it, for local sockets. */
  tls?: ServerOptions;
  /** With a logger, internal errors are logged and the client gets only an error ID. */
  logger?: FastifyBaseLogger;
  /** The path of the OpenAPI description. */
  descriptionPath?: string;
  /** Paths that accept WebSocket handshakes; elsewhere the header `Upgrade` is ignored. */
  webSockets?: RegExp;
}

/** An HTTP API that serves its description at `GET /v1/openapi.json` and has one format for all errors. */
export async function createHttpApi({
  title,
  tls,
  logger,
  descriptionPath = '/v1/openapi.json',
  webSockets,
  ...limits
}: HttpApiOptions): Promise<HttpApi> {
  const sockets = webSockets && acceptHandshakes(webSockets);
  const app = Fastify({
    ...limits,
    ...(tls ? { https: { ...tls, ...sockets } as never } : sockets && { http: sockets as never }),
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
  const api = app.withTypeProvider<ZodTypeProvider>() as HttpApi;
  if (webSockets) routeHandshakes(api);
  return api;
}

/** An internal error may contain anything, including secrets. */
function loggedFailure(error: unknown, { log, id, method, url }: FastifyRequest): unknown {
  if (((error as { statusCode?: number }).statusCode ?? 500) < 500) return error;
  log.error({ err: error, id, method, path: url.split('?')[0] }, 'a request failed');
  return new ProblemError(problem('NOVA9002', { id }));
}

/** A request that violates its schema gets one problem per invalid field. */
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

/** The name of a format is sent as the message. Other messages come from the validator. */
export function expectedBy(message: string): Text | string {
  return message in formats ? formats[message as keyof typeof formats].expected : message;
}
