import type { Duplex } from 'node:stream';
import swagger from '@fastify/swagger';
import { formats, formatted, ProblemError, problem, type Text } from '@nova-platform/api';
import Fastify, { type FastifyInstance } from 'fastify';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Engine } from './engine.ts';
import { serveExec } from './exec-stream.ts';
import { buildImage, listImages, pruneImages } from './images/build.ts';

const label = formatted('label', 40);
const network = formatted('network');
const address = formatted('address');

export const machineSpec = z.strictObject({
  name: label,
  image: label,
  network: label,
  cpu: z.int().min(1).max(256).default(1),
  memoryMebibytes: z
    .int()
    .min(64)
    .max(1024 * 1024)
    .default(512),
  address: address.optional(),
  cloudConfig: z
    .string()
    .max(1024 * 1024)
    .optional(),
});

const networkSpec = z.strictObject({ name: label, network });

const networkChange = z.strictObject({
  names: z.array(z.strictObject({ name: z.string().max(253), addresses: z.array(address) })).optional(),
  published: z.array(z.strictObject({ externalAddress: address, address })).optional(),
  loadBalancers: z
    .array(
      z.strictObject({
        name: label,
        address,
        externalAddress: address.optional(),
        port: z.int().min(1).max(65535),
        backends: z.array(z.strictObject({ address, port: label })),
        healthCheckSource: address,
      }),
    )
    .optional(),
});

const named = z.object({ name: label });

/** The engine's HTTP API: no host paths, no options of the runtime below. */
export async function createApi(engine: Engine): Promise<FastifyInstance> {
  const app = Fastify({ bodyLimit: 4 * 1024 * 1024, forceCloseConnections: true });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Nova engine', version: '1' } },
    transform: jsonSchemaTransform,
  });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ProblemError) return reply.status(422).send({ problems: error.problems });
    const { statusCode, message, validation } = error as {
      statusCode?: number;
      message: string;
      validation?: { instancePath: string; message: string }[];
    };
    if (validation) {
      const problems = validation.map((each) =>
        problem('NOVA7026', { field: each.instancePath.slice(1), expected: expectedBy(each.message) }),
      );
      return reply.status(422).send({ problems });
    }
    return reply.status(statusCode ?? 500).send({ message });
  });
  const api = app.withTypeProvider<ZodTypeProvider>();

  api.get('/v1/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  api.get('/v1/health', async () => ({ status: 'ok' }));

  api.get('/v1/images', async () => listImages());
  api.post('/v1/images/:name/build', { schema: { params: named } }, async (request, reply) => {
    // Progress as it comes, one JSON document a line; the last holds the outcome.
    reply.hijack();
    const say = (line: object) => reply.raw.write(`${JSON.stringify(line)}\n`);
    reply.raw.writeHead(200, { 'content-type': 'application/x-ndjson' });
    try {
      say({ image: await buildImage(request.params.name, (progress) => say({ progress })) });
    } catch (error) {
      say(error instanceof ProblemError ? { problems: error.problems } : { message: (error as Error).message });
    }
    reply.raw.end();
  });
  api.post('/v1/images/prune', async () => ({ removed: await pruneImages() }));

  api.get('/v1/networks', async () => engine.listNetworks());
  api.post('/v1/networks', { schema: { body: networkSpec } }, async ({ body }) =>
    engine.createNetwork(body.name, body.network),
  );
  api.get('/v1/networks/:name', { schema: { params: named } }, async ({ params }) => engine.showNetwork(params.name));
  api.patch('/v1/networks/:name', { schema: { params: named, body: networkChange } }, async ({ params, body }) => {
    const { names, published, loadBalancers } = body;
    return engine.changeNetwork(params.name, {
      ...(names && { names }),
      ...(published && { published }),
      ...(loadBalancers && {
        loadBalancers: loadBalancers.map(({ externalAddress, ...rest }) => ({
          ...rest,
          ...(externalAddress && { externalAddress }),
        })),
      }),
    });
  });
  api.delete('/v1/networks/:name', { schema: { params: named } }, async ({ params }) => {
    await engine.deleteNetwork(params.name);
    return {};
  });

  api.get('/v1/machines', async () => engine.listMachines());
  api.post('/v1/machines', { schema: { body: machineSpec } }, async ({ body }) => engine.createMachine(body));
  api.delete('/v1/machines/:name', { schema: { params: named } }, async ({ params }) => {
    await engine.deleteMachine(params.name);
    return {};
  });
  api.post('/v1/machines/:name/restart', { schema: { params: named } }, async ({ params }) => {
    await engine.restartMachine(params.name);
    return {};
  });
  api.post('/v1/machines/:name/stop', { schema: { params: named } }, async ({ params }) => {
    await engine.stopMachine(params.name);
    return {};
  });
  api.get('/v1/machines/:name/console', { schema: { params: named } }, async ({ params }) => ({
    console: await engine.machineConsole(params.name),
  }));
  api.get('/v1/machines/:name/usage', { schema: { params: named } }, async ({ params }) =>
    engine.machineUsage(params.name),
  );

  // A command in a machine: the connection becomes a stream of frames.
  app.server.on('upgrade', (request, socket: Duplex) => void serveExec(engine, request, socket));
  return app;
}

/** A format's name travels as its message; other messages are the validator's own. */
function expectedBy(message: string): Text | string {
  return message in formats ? formats[message as keyof typeof formats].expected : message;
}
