import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';

/** Where a cluster's API is, and as whom it is asked. */
export interface ClusterAccess {
  host: string;
  port: number;
  ca: string;
  cert: string;
  key: string;
}

/** An object of Kubernetes, as its API takes it. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; [field: string]: unknown };
  [field: string]: unknown;
}

/** The API refused, and says why. */
export class KubernetesError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** By this name the API knows which fields are ours. */
const fieldManager = 'nova';
const patience = 10_000;

/** The little of Kubernetes' API that bringing a cluster up takes. */
export class KubernetesApi {
  readonly #access: ClusterAccess;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(access: ClusterAccess) {
    this.#access = access;
  }

  async get<T>(path: string): Promise<T> {
    return JSON.parse(await this.#send('GET', path)) as T;
  }

  /** Whether it answers that it is ready. */
  async isReady(): Promise<boolean> {
    return (await this.#send('GET', '/readyz').catch(() => '')) === 'ok';
  }

  /** Makes an object what it should be; fields that others own stay theirs. */
  async apply(object: KubernetesObject): Promise<void> {
    const path = `${pathOf(object)}?fieldManager=${fieldManager}&force=true`;
    await this.#send('PATCH', path, JSON.stringify(object), 'application/apply-patch+yaml');
  }

  /** Changes the given fields of an object that is there, and takes none of them for ours. */
  async merge(object: KubernetesObject, part = ''): Promise<void> {
    await this.#send('PATCH', pathOf(object) + part, JSON.stringify(object), 'application/merge-patch+json');
  }

  /** Answers what was made. */
  async create<T>(path: string, object: object): Promise<T> {
    return JSON.parse(await this.#send('POST', path, JSON.stringify(object))) as T;
  }

  async remove(object: KubernetesObject): Promise<void> {
    await this.#send('DELETE', pathOf(object)).catch(unlessGone);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body?: string, contentType = 'application/json'): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string> = { accept: 'application/json' };
      if (body !== undefined) headers['content-type'] = contentType;
      const outgoing = request(
        { ...this.#access, agent: this.#agent, method, path, headers, timeout: patience },
        (response) => {
          text(response).then((answer) => {
            const status = response.statusCode ?? 0;
            if (status >= 200 && status < 300) resolve(answer);
            else reject(new KubernetesError(status, messageOf(answer)));
          }, reject);
        },
      );
      outgoing.once('timeout', () => outgoing.destroy(new Error('the API does not answer')));
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }
}

/** For those who are content when an object is not there. */
export function unlessGone(error: unknown): void {
  if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
}

/** `/apis/apps/v1/namespaces/kube-system/deployments/coredns` */
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
