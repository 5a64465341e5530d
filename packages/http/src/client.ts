import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { checkServerIdentity } from 'node:tls';
import { ProblemError } from '@nova-platform/api';
import { failure } from './failure.ts';

export { type Call, type Client, clientOf } from './contract.ts';
export { failure };

/** The address of an API: a local socket, or a server whose certificate is verified with `ca`. */
export type Connection =
  | { socketPath: string }
  | {
      host: string;
      port: number;
      ca: string;
      /** The name in the server's certificate, if it differs from the host. */
      servername?: string;
      /** The client certificate, if the server requires one. */
      cert?: string;
      key?: string;
      headers?: Record<string, string>;
      /** A further check of the server's certificate. */
      checkServerIdentity?: typeof checkServerIdentity;
    };

export interface ApiClient {
  call: <T = unknown>(method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<T>;
  /** The client of `streamLines`. Resolves when the response is complete and no line was an error. */
  stream: <T extends object>(
    method: string,
    path: string,
    body: object | undefined,
    onLine: (line: T) => void,
    signal?: AbortSignal,
  ) => Promise<void>;
}

/** Calls an API. `unreachable` creates the error for a missing or incomplete response. */
export function apiClient(
  connection: Connection | (() => Connection),
  unreachable: (error: NodeJS.ErrnoException) => Error,
): ApiClient {
  async function send(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const response = await reached(
      new Promise<IncomingMessage>((resolve, reject) => {
        const target = typeof connection === 'function' ? connection() : connection;
        const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
        const own = 'headers' in target ? target.headers : {};
        const all = { ...own, ...type, ...headers };
        const options = { ...target, method, path, headers: all, ...(signal && { signal }) };
        const outgoing = requestTo(options, resolve);
        outgoing.on('error', reject);
        outgoing.end(body && JSON.stringify(body));
      }),
    );
    if (response.statusCode === 200) return response;
    const error = failure(await reached(text(response)));
    // A server that is shutting down refuses requests with 503.
    throw response.statusCode === 503 && !(error instanceof ProblemError) ? unreachable(error) : error;
  }

  function reached<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: NodeJS.ErrnoException) => {
      throw unreachable(error);
    });
  }

  return {
    async call<T>(method: string, path: string, body?: object, headers?: Record<string, string>) {
      return JSON.parse(await reached(text(await send(method, path, body, headers)))) as T;
    },
    async stream<T extends object>(
      method: string,
      path: string,
      body: object | undefined,
      onLine: (line: T) => void,
      signal?: AbortSignal,
    ) {
      const response = await send(method, path, body, {}, signal);
      for await (const line of linesOf(response, unreachable)) {
        const value = JSON.parse(line) as T;
        if ('problems' in value || 'message' in value) throw failure(line);
        onLine(value);
      }
    },
  };
}

/** A request to a server or a socket; only servers use TLS. */
export function requestTo(
  options: RequestOptions & Connection,
  onResponse?: (response: IncomingMessage) => void,
): ReturnType<typeof httpRequest> {
  return 'socketPath' in options ? httpRequest(options, onResponse) : httpsRequest(options, onResponse);
}

/** A broken connection is an error, not the end of the stream: HTTP marks the end of a response itself. */
async function* linesOf(
  response: IncomingMessage,
  unreachable: (error: NodeJS.ErrnoException) => Error,
): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw unreachable(error as NodeJS.ErrnoException);
  }
}
