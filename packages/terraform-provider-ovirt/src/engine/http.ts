import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';

export interface HttpOptions {
  headers: Readonly<Record<string, string>>;
  /** PEM; undefined if no certificate is verified. */
  ca: readonly string[] | undefined;
}

export interface Response {
  status: number;
  type: string;
  /** Seconds. */
  retryAfter: number | undefined;
  body: string;
}

/** Long enough for the slowest call of an engine under load. */
const timeout = 180_000;

/** HTTP with connections that stay open. */
export class Http {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #plain = new http.Agent({ keepAlive: true });
  readonly #secure: https.Agent;

  constructor({ headers, ca }: HttpOptions) {
    this.#headers = headers;
    this.#secure = new https.Agent({
      keepAlive: true,
      rejectUnauthorized: ca !== undefined,
      ...(ca && { ca: [...ca] }),
      minVersion: 'TLSv1.2',
    });
  }

  request(method: string, url: URL, headers: Record<string, string>, body?: string): Promise<Response> {
    const isSecure = url.protocol === 'https:';
    const options = {
      method,
      headers: {
        ...this.#headers,
        ...headers,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      agent: isSecure ? this.#secure : this.#plain,
      timeout,
    };
    return new Promise((resolve, reject) => {
      const outgoing = (isSecure ? https : http).request(url, options, (incoming) => {
        text(incoming).then((received) => {
          const { 'content-type': type = '', 'retry-after': retryAfter } = incoming.headers;
          resolve({
            status: incoming.statusCode ?? 0,
            type,
            retryAfter: retryAfter === undefined ? undefined : Number(retryAfter) || undefined,
            body: received,
          });
        }, reject);
      });
      outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error('no response'), { code: 'ETIMEDOUT' })));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}
