import type { ApiClient } from './client.ts';
import { failure } from './failure.ts';

export { type Client, clientOf } from './contract.ts';

/** No response, or an incomplete one. */
export class Unreachable extends Error {}

/** The server responded with an error. */
export class Refused extends Error {
  readonly status: number;
  /** The error from the response. */
  override readonly cause: Error;

  constructor(status: number, cause: Error) {
    super(cause.message);
    this.status = status;
    this.cause = cause;
  }
}

/** Calls the API of the server that served the page, with the session of the page. */
export function pageClient(): ApiClient {
  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
    const response = await reached(
      fetch(path, { method, headers: { ...type, ...headers }, ...(body && { body: JSON.stringify(body) }) }),
    );
    if (response.ok) return response;
    const text = await reached(response.text());
    // A proxy in front of the server responds while the server is down, and not with JSON.
    const isOurs = response.headers.get('content-type')?.includes('json') === true;
    throw isOurs ? new Refused(response.status, failure(text)) : new Unreachable(text);
  }

  return {
    async call<T>(method: string, path: string, body?: object, headers?: Record<string, string>) {
      return (await reached((await send(method, path, body, headers)).json())) as T;
    },
    async stream<T extends object>(method: string, path: string, body: object | undefined, onLine: (line: T) => void) {
      const response = await send(method, path, body);
      await readLines(response, (line) => {
        const value = JSON.parse(line) as T;
        if ('problems' in value || 'message' in value) throw failure(line);
        onLine(value);
      });
    },
  };
}

/** Calls `onLine` with each line of the response as it arrives. */
export async function readLines(response: Response, onLine: (line: string) => void): Promise<void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const chunk = await reached(reader.read());
    if (chunk.done) return;
    const lines = (rest + chunk.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  }
}

function reached<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: Error) => {
    throw new Unreachable(error.message);
  });
}
