import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import type { ProblemError } from '@nova-platform/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { closeUnread } from './access.ts';

/** Not forwarded: they belong to one connection, or contain credentials. */
const ownHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'authorization',
  'proxy-authorization',
  'cookie',
  'transfer-encoding',
  'trailer',
  'upgrade',
  'te',
  'expect',
]);
/** A transfer can take any time while bytes arrive. */
const longestSilence = 5 * 60_000;

interface Forwarding {
  /** Thrown if there is no response. */
  unreachable: ProblemError;
  /** Called for every part of the body; a returned problem ends the request. */
  refuse?: (bytes: number) => ProblemError | undefined;
  onResponse?: (headers: IncomingHttpHeaders) => void;
}

/** Forwards a request to another server and returns its response. Bodies are streamed. */
export async function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  { headers, ...target }: Omit<RequestOptions, 'headers'> & { headers?: Record<string, string> },
  { unreachable, refuse, onResponse }: Forwarding,
): Promise<FastifyReply> {
  const kept = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name)));
  const outgoing = httpRequest({ ...target, method: request.method, headers: { ...kept, ...headers } });
  // An error after the response began breaks the response instead.
  outgoing.on('error', () => undefined);
  reply.raw.once('close', () => outgoing.destroy());
  request.raw.setTimeout(longestSilence);
  let refused: ProblemError | undefined;
  if (refuse)
    request.raw.on('data', (chunk: Buffer) => {
      refused ??= refuse(chunk.length);
      if (refused) outgoing.destroy();
    });
  request.raw.pipe(outgoing);
  const [response] = (await once(outgoing, 'response').catch(() => {
    if (!refused) throw unreachable;
    closeUnread(request, reply);
    throw refused;
  })) as [IncomingMessage];
  onResponse?.(response.headers);
  const given = Object.entries(response.headers).filter(([name]) => !ownHeaders.has(name));
  return reply
    .status(response.statusCode ?? 502)
    .headers(Object.fromEntries(given))
    .send(response);
}

/** The path alone, if a request has an absolute URL as for a proxy. */
export function pathOf({ url }: FastifyRequest): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/i, '');
}
