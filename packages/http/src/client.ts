import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { failure } from './failure.ts';

export { failure };

export interface SocketClient {
  call: <T = unknown>(method: string, path: string, body?: object) => Promise<T>;
  /** The other side of `streamLines`: done when the answer came to its end and no line was a failure. */
  stream: <T extends object>(
    method: string,
    path: string,
    body: object | undefined,
    onLine: (line: T) => void,
  ) => Promise<void>;
}

/** Calls an API on a local socket. `unreachable` says what it means that nobody answers, or not to the end. */
export function socketClient(
  socketPath: string | (() => string),
  unreachable: (error: NodeJS.ErrnoException) => Error,
): SocketClient {
  async function send(method: string, path: string, body?: object): Promise<IncomingMessage> {
    const response = await reached(
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = body ? { 'content-type': 'application/json' } : {};
        const socket = typeof socketPath === 'string' ? socketPath : socketPath();
        const outgoing = request({ socketPath: socket, method, path, headers }, resolve);
        outgoing.on('error', reject);
        outgoing.end(body && JSON.stringify(body));
      }),
    );
    if (response.statusCode === 200) return response;
    throw failure(await reached(text(response)));
  }

  function reached<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: NodeJS.ErrnoException) => {
      throw unreachable(error);
    });
  }

  return {
    async call<T>(method: string, path: string, body?: object) {
      return JSON.parse(await reached(text(await send(method, path, body)))) as T;
    },
    async stream<T extends object>(method: string, path: string, body: object | undefined, onLine: (line: T) => void) {
      const response = await send(method, path, body);
      for await (const line of linesOf(response, unreachable)) {
        const value = JSON.parse(line) as T;
        if ('problems' in value || 'message' in value) throw failure(line);
        onLine(value);
      }
    },
  };
}

/** A connection that breaks is no end: HTTP marks the end of an answer itself. */
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
