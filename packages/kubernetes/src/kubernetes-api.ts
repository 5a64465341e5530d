import type { ClientRequest } from 'node:http';
import { Agent, request } from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { RetryableError, type RetryPolicy, untilRestarted } from '@nova-platform/api';

/** The address of a cluster's API and the credentials for it. */
export interface ClusterAccess {
  host: string;
  port: number;
  ca: string;
  cert: string;
  key: string;
  /** How many times longer requests can take than usual. */
  slowdown?: number;
}

/** An object of the Kubernetes API. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; [field: string]: unknown };
  [field: string]: unknown;
}

/** The API refused a request; the message is its reason. */
export class KubernetesError extends Error {
  readonly status: number;
  /** A server that is overloaded or not ready accepts the same request later. */
  readonly retry: RetryPolicy | undefined;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
    this.retry = status === 429 || status >= 500 ? untilRestarted : undefined;
  }
}

/** The field manager of our server-side apply. */
export const fieldManager = 'nova';
const requestTimeout = 10_000;
/**
 * The load balancer drops connections until its API server is healthy. The kernel retries after 1, 3, 7 … seconds, so a
 * new connection every second gets through earlier.
 */
const connectTimeout = 1000;
const maxTries = 10;

interface Answer {
  status: number;
  body: string;
  /** The server's Retry-After in seconds. */
  retryAfter: number | undefined;
}

interface RequestOptions {
  body?: string | undefined;
  contentType?: string | undefined;
  /** Timeout of the TCP connection in milliseconds, where the kernel's would be too long. */
  connectTimeout?: number;
}

/** The part of the Kubernetes API that Nova needs. */
export class KubernetesApi {
  readonly #access: Omit<ClusterAccess, 'slowdown'>;
  readonly #timeout: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor({ slowdown = 1, ...access }: ClusterAccess) {
    this.#access = access;
    this.#timeout = requestTimeout * slowdown;
  }

  async get<T>(path: string): Promise<T> {
    return JSON.parse(await this.#send('GET', path)) as T;
  }

  async isReady(): Promise<boolean> {
    return (await this.readiness()) === 'ready';
  }

  /** `not ready`: the server responds. `unreachable`: it does not respond. */
  async readiness(): Promise<'ready' | 'not ready' | 'unreachable'> {
    const answer = await this.#request('GET', '/readyz', { connectTimeout }).catch(() => undefined);
    if (!answer) return 'unreachable';
    return answer.status === 200 ? 'ready' : 'not ready';
  }

  /** Server-side apply; fields that others own stay. */
  async apply(object: KubernetesObject): Promise<void> {
    const path = `${pathOf(object)}?fieldManager=${fieldManager}&force=true`;
    await this.#send('PATCH', path, JSON.stringify(object), 'application/apply-patch+yaml');
  }

  /** Changes the given fields of an existing object without becoming their owner. */
  async merge(object: KubernetesObject, part = ''): Promise<void> {
    await this.#send('PATCH', pathOf(object) + part, JSON.stringify(object), 'application/merge-patch+json');
  }

  /** Returns the created object. */
  async create<T>(path: string, object: object): Promise<T> {
    return JSON.parse(await this.#send('POST', path, JSON.stringify(object), 'application/json')) as T;
  }

  async remove(object: KubernetesObject): Promise<void> {
    await this.#send('DELETE', pathOf(object)).catch(ignoreNotFound);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(method: string, path: string, body?: string, contentType?: string): Promise<string> {
    for (let tries = 1; ; tries += 1) {
      const { status, body: answer, retryAfter } = await this.#request(method, path, { body, contentType });
      if (status >= 200 && status < 300) return answer;
      // A server that has just started is still loading its caches and sends Retry-After; a real refusal has none.
      if (retryAfter === undefined || tries === maxTries) throw new KubernetesError(status, messageOf(answer));
      await sleep(retryAfter * 1000);
    }
  }

  #request(
    method: string,
    path: string,
    { body, contentType, connectTimeout: connect }: RequestOptions,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string> = { accept: 'application/json' };
      if (contentType !== undefined) headers['content-type'] = contentType;
      const fail = (error: Error) => reject(new RetryableError(error, untilRestarted));
      const outgoing = request(
        { ...this.#access, agent: this.#agent, method, path, headers, timeout: this.#timeout },
        (response) => {
          const { statusCode: status = 0, headers: received } = response;
          const seconds = received['retry-after'];
          const retryAfter = seconds === undefined ? undefined : Number(seconds);
          text(response).then((answer) => resolve({ status, body: answer, retryAfter }), fail);
        },
      );
      outgoing.once('timeout', () => outgoing.destroy(new Error('the API does not respond')));
      outgoing.once('error', fail);
      if (connect !== undefined) outgoing.once('socket', (socket) => limitConnect(outgoing, socket, connect));
      outgoing.end(body);
    });
  }
}

function limitConnect(outgoing: ClientRequest, socket: Socket, milliseconds: number): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => outgoing.destroy(new Error('no connection to the API')), milliseconds);
  socket.once('connect', () => clearTimeout(timer));
  outgoing.once('close', () => clearTimeout(timer));
}

/** Use it where a missing object is fine. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
}

/** For example `/apis/apps/v1/namespaces/kube-system/deployments/coredns`. */
function pathOf({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${group}${place}/${pluralOf(kind)}/${encodeURIComponent(name)}`;
}

function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : word.endsWith('s') ? `${word}es` : `${word}s`;
}

function messageOf(answer: string): string {
  try {
    return (JSON.parse(answer) as { message: string }).message;
  } catch {
    return answer.slice(0, 500);
  }
}
