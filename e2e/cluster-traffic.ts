import { type RequestOptions, request } from 'node:https';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { KubernetesApi } from '@nova-platform/kubernetes';

interface Kubeconfig {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
  users: [{ user: { 'client-certificate-data': string; 'client-key-data': string } }];
}

interface Listed {
  items: { metadata: { name: string } }[];
}

export interface Traffic {
  /** Acknowledged writes. */
  acknowledged: string[];
  /** Failed requests, each with its time. */
  failures: string[];
  /** The longest gap between two acknowledged writes, in seconds. */
  longestGap: number;
}

export const configMaps = '/api/v1/namespaces/default/configmaps';

/** A client of a cluster's API on the host, with nova-ctl's kubeconfig (JSON). */
export class ClusterClient {
  readonly #access: { host: string; port: number; ca: string; cert: string; key: string };

  constructor(kubeconfig: string) {
    const { clusters, users } = JSON.parse(kubeconfig) as Kubeconfig;
    const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
    const { 'client-certificate-data': cert, 'client-key-data': key } = users[0].user;
    const decoded = (text: string) => Buffer.from(text, 'base64').toString();
    const { hostname: host, port } = new URL(server);
    this.#access = { host, port: Number(port), ca: decoded(ca), cert: decoded(cert), key: decoded(key) };
  }

  /** Retries requests while a freshly started server is not ready. */
  async use<T>(work: (api: KubernetesApi) => Promise<T>): Promise<T> {
    const api = new KubernetesApi(this.#access);
    try {
      return await work(api);
    } finally {
      api.close();
    }
  }

  async names(path: string): Promise<string[]> {
    const { items } = await this.use((api) => api.get<Listed>(path));
    return items.map(({ metadata }) => metadata.name);
  }

  /** Reads and writes five times per second until stopped. Each request has its own connection and is never retried. */
  traffic(run: string): { stop: () => Promise<Traffic> } {
    const acknowledged: string[] = [];
    const failures: string[] = [];
    const times = [performance.now()];
    const under: Promise<void>[] = [];
    let isStopped = false;
    const attempt = async (what: string, answered: Promise<number>, expected: number) => {
      const outcome = await answered.then((status) => (status === expected ? '' : String(status)), String);
      if (outcome !== '') failures.push(`${new Date().toISOString()} ${what}: ${outcome}`);
      return outcome === '';
    };
    const write = async (name: string) => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      if (!(await attempt('write', this.#once('POST', configMaps, object), 201))) return;
      acknowledged.push(name);
      times.push(performance.now());
    };
    const ended = (async () => {
      for (let number = 0; !isStopped; number += 1) {
        const read = attempt('read', this.#once('GET', '/api/v1/namespaces/default'), 200);
        under.push(
          read.then(() => undefined),
          write(`${run}-${number}`),
        );
        await sleep(200);
      }
      await Promise.all(under);
    })();
    return {
      stop: async () => {
        isStopped = true;
        await ended;
        times.push(performance.now());
        const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
        return { acknowledged, failures, longestGap: Math.max(...gaps) / 1000 };
      },
    };
  }

  #once(method: string, path: string, body?: object): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const options: RequestOptions = { ...this.#access, agent: false, method, path, headers, timeout: 10_000 };
      const outgoing = request(options, (response) => {
        json(response).then(() => resolve(response.statusCode ?? 0), reject);
      });
      outgoing.once('timeout', () => outgoing.destroy(new Error('no answer')));
      outgoing.once('error', reject);
      outgoing.end(body && JSON.stringify(body));
    });
  }
}
