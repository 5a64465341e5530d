import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formats, formatted, type Problem, ProblemError, problem } from '@nova-platform/api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { apiClient } from './client.ts';
import { createHttpApi, type HttpApi, streamLines } from './index.ts';

const wrong = problem('NOVA7030', {});
const unreachable = ({ code }: NodeJS.ErrnoException) => new Error(`unreachable: ${code}`);

let folder: string;
let socketPath: string;
let api: HttpApi;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-http-'));
  socketPath = join(folder, 'api.sock');
  api = await createHttpApi({ title: 'Test', bodyLimit: 1000 });
});

afterEach(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

/** Serves the routes added so far. */
async function served() {
  await api.listen({ path: socketPath });
  return apiClient(() => ({ socketPath }), unreachable);
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => expect.unreachable('it should have failed'),
    (error: Error) => error,
  );
}

async function problemsOf(work: Promise<unknown>): Promise<readonly Problem[]> {
  const error = await failureOf(work);
  expect(error).toBeInstanceOf(ProblemError);
  return (error as ProblemError).problems;
}

test('a call sends its body and returns the response', async () => {
  api.post('/v1/double', { schema: { body: z.strictObject({ value: z.int() }) } }, async ({ body }) => ({
    value: body.value * 2,
  }));
  const { call } = await served();
  expect(await call('POST', '/v1/double', { value: 21 })).toEqual({ value: 42 });
});

test('problems reach the client as they were thrown', async () => {
  api.get('/v1/wrong', async () => {
    throw new ProblemError(wrong, wrong);
  });
  const { call } = await served();
  expect(await problemsOf(call('GET', '/v1/wrong'))).toEqual([wrong, wrong]);
});

test('every invalid field is a separate problem', async () => {
  const body = z.strictObject({ name: formatted('label'), inner: z.strictObject({ size: z.int() }) });
  api.post('/v1/things', { schema: { body } }, async () => ({}));
  const { call } = await served();
  expect(await problemsOf(call('POST', '/v1/things', { name: '-', inner: { size: 'big' } }))).toEqual([
    problem('NOVA7026', { field: 'name', expected: formats.label.expected }),
    problem('NOVA7026', { field: 'inner/size', expected: 'Invalid input: expected number, received string' }),
  ]);
});

test('any other error keeps its message', async () => {
  api.get('/v1/broken', async () => {
    throw new Error('out of luck');
  });
  api.post('/v1/small', async () => ({}));
  const { call } = await served();
  expect((await failureOf(call('GET', '/v1/broken'))).message).toBe('out of luck');
  expect(await problemsOf(call('GET', '/v1/none'))).toEqual([problem('NOVA7034', { method: 'GET', path: '/v1/none' })]);
  expect((await failureOf(call('POST', '/v1/small', { text: 'x'.repeat(1000) }))).message).toBe(
    'Request body is too large',
  );
});

test('the API describes its routes, except the description itself', async () => {
  api.get('/v1/health', async () => ({}));
  const { call } = await served();
  const { openapi, info, paths } = await call<Record<string, object>>('GET', '/v1/openapi.json');
  expect({ openapi, info, routes: Object.keys(paths ?? {}) }).toEqual({
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    routes: ['/v1/health'],
  });
});

test('the lines of a stream arrive whole, in order and as they are written', async () => {
  const asked = Promise.withResolvers<void>();
  const lines = [{ text: 'one\ntwo\u2028three' }, { text: 'ж'.repeat(100_000) }, { text: 'last' }];
  api.post('/v1/lines', { schema: { body: z.strictObject({ go: z.boolean() }) } }, (_request, reply) =>
    streamLines(reply, async (say) => {
      say({ text: 'first' });
      await asked.promise;
      for (const line of lines) say(line);
    }),
  );
  const { stream } = await served();
  const received: unknown[] = [];
  await stream('POST', '/v1/lines', { go: true }, (line) => {
    received.push(line);
    asked.resolve();
  });
  expect(received).toEqual([{ text: 'first' }, ...lines]);
});

test('work that fails midway reports the error after its lines', async () => {
  const failing = (error: Error) => async (say: (line: object) => void) => {
    say({ step: 1 });
    throw error;
  };
  api.get('/v1/problems', (_request, reply) => streamLines(reply, failing(new ProblemError(wrong))));
  api.get('/v1/message', (_request, reply) => streamLines(reply, failing(new Error('out of luck'))));
  const { stream } = await served();
  const received: unknown[] = [];
  const take = (line: object) => received.push(line);
  expect(await problemsOf(stream('GET', '/v1/problems', undefined, take))).toEqual([wrong]);
  expect((await failureOf(stream('GET', '/v1/message', undefined, take))).message).toBe('out of luck');
  expect(received).toEqual([{ step: 1 }, { step: 1 }]);
});

test('a rejected stream fails like a call', async () => {
  const params = z.object({ name: formatted('label') });
  api.get('/v1/lines/:name', { schema: { params } }, (_request, reply) => streamLines(reply, async () => undefined));
  const { stream } = await served();
  expect(await problemsOf(stream('GET', '/v1/lines/-', undefined, () => undefined))).toEqual([
    problem('NOVA7026', { field: 'name', expected: formats.label.expected }),
  ]);
});

test('an incomplete response is an error, even if all its lines were valid', async () => {
  api.get('/v1/lines', (_request, reply) =>
    streamLines(reply, async (say) => {
      say({ step: 1 });
      // Written, then cut off: the line arrives.
      await new Promise((resolve) => setTimeout(resolve, 50));
      reply.raw.destroy();
    }),
  );
  api.get('/v1/whole', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-length': 100 });
    reply.raw.write('{', () => reply.raw.destroy());
  });
  const { call, stream } = await served();
  const received: unknown[] = [];
  const streamed = stream('GET', '/v1/lines', undefined, (line) => received.push(line));
  expect((await failureOf(streamed)).message).toBe('unreachable: ECONNRESET');
  expect(received).toEqual([{ step: 1 }]);
  expect((await failureOf(call('GET', '/v1/whole'))).message).toBe('unreachable: ECONNRESET');
});

test('a listener that throws ends the stream with its error', async () => {
  api.get('/v1/lines', (_request, reply) => streamLines(reply, async (say) => say({ step: 1 })));
  const { stream } = await served();
  const streamed = stream('GET', '/v1/lines', undefined, () => {
    throw new Error('not that one');
  });
  expect((await failureOf(streamed)).message).toBe('not that one');
});

test('work gets a signal when the client disconnects, and can still write', async () => {
  const told = Promise.withResolvers<void>();
  api.get('/v1/lines', (_request, reply) =>
    streamLines(reply, async (say, left) => {
      say({ step: 1 });
      await once(left, 'abort');
      say({ step: 2 });
      told.resolve();
    }),
  );
  await served();
  const outgoing = request({ socketPath, path: '/v1/lines' }).end();
  outgoing.on('response', (response) => response.once('data', () => outgoing.destroy()));
  await told.promise;
});

test('finished work gets no signal when the client disconnects', async () => {
  const signals: AbortSignal[] = [];
  const closed = Promise.withResolvers<void>();
  api.get('/v1/lines', (_request, reply) => {
    reply.raw.once('close', closed.resolve);
    return streamLines(reply, async (_say, left) => void signals.push(left));
  });
  const { stream } = await served();
  await stream('GET', '/v1/lines', undefined, () => undefined);
  await closed.promise;
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

test('a server that is shutting down counts as unreachable', async () => {
  const stopping = { error: 'Service Unavailable', message: 'Service Unavailable', statusCode: 503 };
  api.get('/v1/health', (_request, reply) => reply.code(503).send(stopping));
  const { call } = await served();
  expect((await failureOf(call('GET', '/v1/health'))).message).toMatch(/^unreachable: /);
});

test('the caller chooses the error for a socket without a server', async () => {
  const { call, stream } = apiClient({ socketPath: join(folder, 'none.sock') }, unreachable);
  expect((await failureOf(call('GET', '/v1/health'))).message).toBe('unreachable: ENOENT');
  expect((await failureOf(stream('GET', '/v1/lines', undefined, () => undefined))).message).toBe('unreachable: ENOENT');
});
