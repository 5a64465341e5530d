import { ProblemError, problem } from '@nova-platform/api';
import type { EngineClient } from '@nova-platform/contracts/engine/client';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { parseXml, type Received, type Shown, writeJson, writeXml } from '../xml.ts';
import { bodyOf } from './accept.ts';
import { Call, type Parts } from './call.ts';
import { faultOf } from './fault.ts';
import { followed } from './follow.ts';
import type { Identity } from './identity.ts';
import { Lifecycle } from './lifecycle.ts';
import { Records } from './records.ts';
import { apiPath, type Found, find, itemsOf, shown, unknownCall } from './resource.ts';
import { resources } from './resources/index.ts';
import { root } from './root.ts';
import { searched } from './search.ts';
import { Work } from './work.ts';

export interface ApiOptions {
  engine: () => EngineClient;
  /** The API migrates its own tables. */
  // biome-ignore lint/suspicious/noExplicitAny: other parts have tables in the same store
  store: Kysely<any>;
  /** Throws a problem with the status 401 unless the request has a valid token. */
  authenticate: (request: FastifyRequest) => Promise<Identity>;
  /** All users, for the list of permissions. */
  users: () => Promise<readonly Identity[]>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for authenticated requests of this API. */
    ovirtIdentity: Identity | undefined;
  }
}

/** A cloud-config of 1 MiB with its escapes. */
const bodyLimit = 4 * 1024 ** 2;
const maxJsonDepth = 24;

/** Serves the API at `/ovirt-engine/api`, and continues what an earlier process has begun. */
export async function serveApi(app: FastifyInstance, options: ApiOptions): Promise<void> {
  const { engine, store, authenticate, users } = options;
  const records = await Records.open(store);
  const work = new Work(records, app.log);
  const lifecycle = new Lifecycle(engine, records, work);
  const parts: Parts = {
    engine,
    records,
    work,
    lifecycle,
    users,
    pendingSnapshots: new Map(),
    pendingTemplates: new Set(),
  };
  await work.endInterrupted();
  await lifecycle.resume('admin@internal');
  await app.register(async (scope) => {
    scope.decorateRequest('ovirtIdentity');
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => {
      const { status, ...fault } = faultOf(error, request);
      return send(request, reply.status(status), 'fault', fault);
    });
    // Before the body is read.
    scope.addHook('onRequest', async (request) => {
      request.ovirtIdentity = await authenticate(request);
    });
    const handler = (request: FastifyRequest, reply: FastifyReply) => handle(parts, request, reply);
    for (const url of [apiPath, `${apiPath}/*`])
      scope.route({ method: ['GET', 'POST', 'PUT', 'DELETE'], url, bodyLimit, handler });
  });
}

async function handle(parts: Parts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { ovirtIdentity: identity, method, headers } = request;
  if (!identity) throw new Error('the request is not authenticated');
  const version = headers.version;
  if (version !== undefined && version !== '4')
    throw new ProblemError(problem('NOVA7625', { version: String(version) }));
  if (identity.role !== 'SuperUser' && method !== 'GET' && method !== 'HEAD')
    throw new ProblemError(problem('NOVA7608', { user: identity.name }));
  const query = queryOf(request);
  const call = new Call(parts, { identity, method, query, body: received(request) });
  const path = pathOf(request);
  if (path.length === 0) return send(request, reply, 'api', await root(call));
  const found = await find(call, resources, path);
  const { status, element, value } = await answer(call, found, path);
  return send(request, reply.status(status), element, value);
}

interface Answer {
  status: number;
  element: string;
  value: Shown;
}

async function answer(call: Call, found: Found, path: readonly string[]): Promise<Answer> {
  const { resource, parent, collection, item, action } = found;
  const { method, body } = call.request;
  const ofItem = (each: unknown) => shown(resource, each, call, parent, `${collection}/${resource.id(each)}`);
  const one = async (each: unknown, status: number): Promise<Answer> => {
    const value = await followed(call, resources, await ofItem(each));
    return { status, element: resource.element, value };
  };
  if (action !== undefined) {
    const run = resource.actions && Object.hasOwn(resource.actions, action) ? resource.actions[action] : undefined;
    if (!run || method !== 'POST') throw unknownCall(call, path);
    return {
      status: 200,
      element: 'action',
      value: { ...(await run(call, item, bodyOf(body), parent)), status: 'complete' },
    };
  }
  if (item === undefined) {
    if (method === 'POST' && resource.add) return one(await resource.add(call, bodyOf(body), parent), 201);
    if (method !== 'GET') throw unknownCall(call, path);
    const items = await itemsOf(call, found);
    const { search } = resource;
    // Collections without keys are searched by none, but have a `max`.
    const keys = search ? await search(call) : {};
    const page = searched(items, keys, call.request.query);
    const values = await Promise.all(page.map(async (each) => followed(call, resources, await ofItem(each))));
    return { status: 200, element: resource.elements, value: { [resource.element]: values } };
  }
  if (method === 'GET') return one(item, 200);
  if (method === 'PUT' && resource.update) return one(await resource.update(call, item, bodyOf(body), parent), 200);
  if (method === 'DELETE' && resource.remove) {
    await resource.remove(call, item, parent);
    return { status: 200, element: 'action', value: { status: 'complete' } };
  }
  throw unknownCall(call, path);
}

/** Some clients send empty segments: `/ovirt-engine/api//vms`. */
function pathOf({ url }: FastifyRequest): string[] {
  const path = (url.split('?')[0] ?? '').slice(apiPath.length);
  return path
    .split('/')
    .map((segment) => segment.split(';')[0] ?? '')
    .filter((segment) => segment !== '')
    .map((segment) => segment.slice(0, 200));
}

/** The first value of each parameter; the correlation ID may also be a header. */
function queryOf({ query, headers }: FastifyRequest): Record<string, string | undefined> {
  const values = Object.entries(query as Record<string, string | string[]>).map(
    ([name, value]) => [name, Array.isArray(value) ? value[0] : value] as const,
  );
  const correlationId = headers['correlation-id'];
  return {
    ...(typeof correlationId === 'string' && { correlation_id: correlationId.slice(0, 50) }),
    ...Object.fromEntries(values),
  };
}

function received({ body, headers }: FastifyRequest): Received {
  if (typeof body !== 'string' || body.trim() === '') return {};
  if (/^application\/json\b/.test(headers['content-type'] ?? '')) return fromJson(body);
  return parseXml(body);
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The leaves of JSON become text, as in XML. */
function fromJson(body: string): Received {
  const refuse = (reason: string): never => {
    throw new ProblemError(problem('NOVA7606', { reason }));
  };
  const convert = (value: Json, depth: number): Received | Received[] => {
    if (depth > maxJsonDepth) refuse(`its values are nested more than ${maxJsonDepth} levels deep`);
    if (Array.isArray(value)) return value.map((each) => convert(each, depth + 1) as Received);
    if (typeof value !== 'object' || value === null) return value === null ? '' : String(value);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, convert(each, depth + 1)]));
  };
  let value: Json;
  try {
    value = JSON.parse(body) as Json;
  } catch {
    return refuse('it is not JSON');
  }
  const result = convert(value, 0);
  return Array.isArray(result) ? refuse('it is not an object') : result;
}

function send({ headers }: FastifyRequest, reply: FastifyReply, element: string, value: Shown): FastifyReply {
  const isJson = /application\/json/.test(headers.accept ?? '') && !/xml/.test(headers.accept ?? '');
  return isJson
    ? reply.type('application/json').send(writeJson(value))
    : reply.type('application/xml;charset=UTF-8').send(writeXml(element, value));
}
