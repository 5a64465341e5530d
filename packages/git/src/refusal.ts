import type { ServerResponse } from 'node:http';

/** What a client is told who does not get what it asked for: a status, and nothing of what is inside. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, headers: Record<string, string> = {}) {
    super(`refused with ${status}`);
    this.status = status;
    this.headers = headers;
  }

  answer(response: ServerResponse): void {
    // What else the client may be sending is not waited for.
    response.writeHead(this.status, { ...this.headers, connection: 'close' }).end();
  }
}
