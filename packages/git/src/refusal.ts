import type { ServerResponse } from 'node:http';

/** A rejected request. The client gets a status and no internal details. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, headers: Record<string, string> = {}) {
    super(`refused with ${status}`);
    this.status = status;
    this.headers = headers;
  }

  answer(response: ServerResponse): void {
    // Do not wait for the rest of the request.
    response.writeHead(this.status, { ...this.headers, connection: 'close' }).end();
  }
}
