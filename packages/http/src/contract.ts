import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { HttpApi } from './api.ts';
import type { ApiClient } from './client.ts';
import { streamLines } from './stream.ts';

/**
 * The access to a route: everyone, or users with at least this role. `node` also allows a node, for its own cluster.
 * `release` also allows every node, and Flux in every cluster.
 */
export type Access = 'anyone' | 'release' | 'node' | 'viewer' | 'operator' | 'admin';

/**
 * One call of an API, declared once. Validation in the server, the OpenAPI description and the types of the client are
 * derived from it.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In Fastify's syntax: `/v1/operations/:id`. */
  path: string;
  summary: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType;
  /** The response is a stream of lines, each with this schema. */
  isStream?: true;
  /** The call changes nothing, although its input is sent as a body. */
  isReading?: true;
  /** The target in the audit trail, with fields of the body: `users/{name}`. Defaults to the path. */
  target?: string;
  /** Fields of the body to keep in the audit trail. Never secrets. */
  audited?: readonly string[];
  /** Everyone can call it; authenticated callers get more details. */
  hasDetails?: true;
}

export type Contract = Record<string, Route>;

type Part<R extends Route, Name extends 'params' | 'query' | 'body', Side extends 'input' | 'output'> = R extends {
  [key in Name]: infer Schema extends z.ZodType;
}
  ? { [key in Name]: Side extends 'input' ? z.input<Schema> : z.output<Schema> }
  : unknown;

type Parts<R extends Route, Side extends 'input' | 'output'> = Part<R, 'params', Side> &
  Part<R, 'query', Side> &
  Part<R, 'body', Side>;

/** The validated request, as the handler gets it. */
export type RouteCall<R extends Route> = Parts<R, 'output'> & { request: FastifyRequest; reply: FastifyReply };

export type Handler<R extends Route> = R extends { isStream: true }
  ? (call: RouteCall<R>, say: (line: z.input<R['response']>) => void, left: AbortSignal) => Promise<void>
  : (call: RouteCall<R>) => Promise<z.input<R['response']>>;

export type Handlers<C extends Contract> = { [Name in keyof C]: Handler<C[Name]> };

/** The input of a call; `ifMatch` is the revision that the caller has seen. */
export type Call<R extends Route> = Parts<R, 'input'> & { ifMatch?: number };

export type Client<C extends Contract> = {
  [Name in keyof C]: C[Name] extends { isStream: true }
    ? (
        call: Call<C[Name]>,
        onLine: (line: z.output<C[Name]['response']>) => void,
        signal?: AbortSignal,
      ) => Promise<void>
    : (call: Call<C[Name]>) => Promise<z.output<C[Name]['response']>>;
};

/** Serves a contract. The `revision` of a response is also its ETag. */
export function serve<C extends Contract>(api: HttpApi, contract: C, handlers: Handlers<C>): void {
  for (const [name, route] of Object.entries(contract)) {
    const { method, path, summary, access, params, query, body, response, isStream, isReading } = route;
    const { target, audited, hasDetails } = route;
    const handle = handlers[name as keyof C] as (...args: unknown[]) => Promise<unknown>;
    api.route({
      method,
      url: path,
      schema: {
        operationId: name,
        summary,
        ...(params && { params }),
        ...(query && { querystring: query }),
        ...(body && { body }),
        response: { 200: response },
      },
      config: {
        access,
        ...(isStream && { isStream }),
        ...(isReading && { isUnaudited: true as const }),
        ...(target !== undefined && { target }),
        ...(audited && { audited }),
        ...(hasDetails && { hasDetails }),
      },
      handler: async (request, reply) => {
        const call = { params: request.params, query: request.query, body: request.body, request, reply };
        if (isStream) return streamLines(reply, (say, left) => handle(call, say, left) as Promise<void>);
        const value = await handle(call);
        const revision = (value as { revision?: unknown } | null)?.revision;
        if (typeof revision !== 'number') return value;
        const etag = `"${revision}"`;
        reply.header('etag', etag);
        return request.headers['if-none-match'] === etag ? reply.status(304 as 200).send() : value;
      },
    });
  }
}

/**
 * A client with one function per call of the contract. `prefix` is the path under which the server mounts the contract.
 */
export function clientOf<C extends Contract>(contract: C, { call, stream }: ApiClient, prefix = ''): Client<C> {
  const functions = Object.entries(contract).map(([name, { method, path, isStream }]) => [
    name,
    (
      input: { params?: object; query?: object; body?: object; ifMatch?: number },
      onLine: (line: object) => void,
      signal?: AbortSignal,
    ) => {
      const target = prefix + pathOf(path, input.params) + queryOf(input.query);
      if (isStream) return stream(method, target, input.body, onLine, signal);
      const headers: Record<string, string> = input.ifMatch === undefined ? {} : { 'if-match': `"${input.ifMatch}"` };
      return call(method, target, input.body, headers);
    },
  ]);
  return Object.fromEntries(functions) as Client<C>;
}

function pathOf(path: string, params: object = {}): string {
  const values = params as Record<string, string | number>;
  return path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(values[name])));
}

function queryOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given)).toString()}`;
}
