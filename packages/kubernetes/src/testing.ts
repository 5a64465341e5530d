import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from './kubernetes-api.ts';

type Fields = Record<string, unknown>;

interface Response {
  status: number;
  body: object;
}

export interface Request {
  method: string;
  url: URL;
  contentType: string | undefined;
  body: Fields;
}

const notFound: Response = { status: 404, body: { message: 'not found' } };

/**
 * The part of the Kubernetes API that Universe uses, in memory. Server-side apply has one field manager, and lists are
 * atomic. Field selectors are ignored: they are used only for pods and events, which do not exist here.
 */
export class MemoryKubernetes {
  /** Objects by path, without status. */
  readonly objects = new Map<string, KubernetesObject>();
  /** The fields applied last, by path. */
  readonly #applied = new Map<string, Fields>();
  readonly #statusOf: (object: KubernetesObject) => object | undefined;
  #version = 0;

  /** `statusOf` simulates the status that controllers and kubelets report. */
  constructor(statusOf: (object: KubernetesObject) => object | undefined) {
    this.#statusOf = statusOf;
    this.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } }, 'namespaces');
  }

  /** Creates an object without a namespace, as a component of the cluster does. */
  create(object: KubernetesObject, plural: string): void {
    this.#store(`/api/v1/${plural}/${object.metadata.name}`, object);
  }

  respond({ method, url, contentType, body }: Request): Response {
    const path = url.pathname;
    const { namespace, name } = partsOf(path);
    const present = this.objects.get(path);
    if (method === 'POST') {
      const created = `${path}/${(body as unknown as KubernetesObject).metadata.name}`;
      if (this.objects.has(created)) return { status: 409, body: { message: 'already exists' } };
      return this.#store(created, body as unknown as KubernetesObject);
    }
    if (name === undefined) return this.#list(path, url.searchParams.get('labelSelector') ?? undefined);
    if (method === 'GET') return present ? { status: 200, body: this.#shown(present) } : notFound;
    if (method === 'DELETE') return present ? this.#remove(path) : notFound;
    if (contentType === 'application/apply-patch+yaml') {
      if (namespace !== undefined && !this.objects.has(`/api/v1/namespaces/${namespace}`)) return notFound;
      const { metadata, ...fields } = body;
      const { name: _name, namespace: _namespace, ...owned } = metadata as Fields;
      const applied = { ...fields, metadata: owned };
      const before = without(present ?? {}, this.#applied.get(path) ?? {}, applied);
      this.#applied.set(path, applied);
      return this.#store(path, merged(before, body) as KubernetesObject);
    }
    if (!present) return notFound;
    const { resourceVersion } = body.metadata as Fields;
    if (resourceVersion !== undefined && resourceVersion !== present.metadata.resourceVersion)
      return { status: 409, body: { message: 'the object has been modified' } };
    return this.#store(path, merged(present, body) as KubernetesObject);
  }

  #list(path: string, selector: string | undefined): Response {
    const [key = '', value] = selector?.split('=') ?? [];
    const group = path.replace(/\/namespaces\/[^/]+(?=\/)/, '');
    const { namespace } = partsOf(path);
    const items = [...this.objects].filter(([each, { metadata }]) => {
      const labels = (metadata.labels ?? {}) as Fields;
      return (
        each.replace(/\/namespaces\/[^/]+(?=\/)/, '').replace(/\/[^/]+$/, '') === group &&
        (namespace === undefined || metadata.namespace === namespace) &&
        (selector === undefined || (key in labels && (value === undefined || labels[key] === value)))
      );
    });
    return { status: 200, body: { items: items.map(([, object]) => this.#shown(object)) } };
  }

  #store(path: string, object: KubernetesObject): Response {
    const present = this.objects.get(path);
    const { resourceVersion: _version, ...metadata } = object.metadata;
    const { resourceVersion: _present, ...before } = present?.metadata ?? { name: '' };
    if (present && isDeepStrictEqual({ ...present, metadata: before }, { ...object, metadata }))
      return { status: 200, body: present };
    this.#version += 1;
    const { uid = randomUUID(), generation = 0 } = (present?.metadata ?? {}) as { uid?: string; generation?: number };
    const isSameSpec = present !== undefined && isDeepStrictEqual(present.spec, object.spec);
    const stored = {
      ...object,
      metadata: {
        ...object.metadata,
        uid,
        generation: isSameSpec ? generation : generation + 1,
        resourceVersion: String(this.#version),
      },
    };
    this.objects.set(path, stored);
    return { status: 200, body: stored };
  }

  /** The objects of a namespace are deleted with it. */
  #remove(path: string): Response {
    const isInside = (each: string) => path.startsWith('/api/v1/namespaces/') && each.includes(`${path.slice(7)}/`);
    for (const each of [...this.objects.keys()].filter((key) => key === path || isInside(key))) {
      this.objects.delete(each);
      this.#applied.delete(each);
    }
    return { status: 200, body: {} };
  }

  #shown(object: KubernetesObject): KubernetesObject {
    const status = this.#statusOf(object);
    return { ...object, ...(status && { status }) };
  }
}

/** The namespace and the name in a path; a path of a list has no name. */
function partsOf(path: string): { namespace?: string | undefined; name?: string | undefined } {
  const parts = path.split('/').slice(path.startsWith('/apis/') ? 4 : 3);
  if (parts[0] !== 'namespaces' || parts.length < 3) return { name: parts[1] };
  return { namespace: parts[1], name: parts[3] };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON merge patch (RFC 7386): null removes a field. */
function merged(present: unknown, patch: Fields): Fields {
  const result: Fields = isFields(present) ? { ...present } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isFields(value) ? merged(result[key], value) : value;
  }
  return result;
}

/** Removes the fields that were applied before and are not applied now. */
function without(present: Fields, before: Fields, now: Fields): Fields {
  const result = { ...present };
  for (const [key, owned] of Object.entries(before)) {
    const value = result[key];
    if (isFields(owned) && isFields(value)) result[key] = without(value, owned, isFields(now[key]) ? now[key] : {});
    else if (!(key in now)) delete result[key];
  }
  return result;
}

interface Member {
  ID: string;
  address: string;
  isLearner: boolean;
}

/** The part of etcd's API that manages members, in memory. */
export class MemoryEtcd {
  readonly members: Member[] = [];
  readonly #isRunning: (address: string) => boolean;
  #leader = '';

  constructor(isRunning: (address: string) => boolean) {
    this.#isRunning = isRunning;
  }

  /** Whether the member at an address serves requests: it is a voter, and there is a quorum. */
  isServing(address: string): boolean {
    return this.#leaderId() !== undefined && this.members.some((each) => each.address === address && !each.isLearner);
  }

  add(address: string, isLearner: boolean): void {
    this.members.push({ ID: randomUUID(), address, isLearner });
  }

  /** `address` is the member that receives the request. */
  respond(address: string, path: string, body: Fields): Response {
    const leader = this.#leaderId();
    const isMember = this.members.some((each) => each.address === address);
    if (path === '/v3/maintenance/status') return { status: 200, body: { leader: isMember ? (leader ?? '0') : '0' } };
    if (leader === undefined || !this.isServing(address)) return { status: 503, body: { message: 'no quorum' } };
    const found = this.members.find(({ ID }) => ID === body.ID);
    switch (path) {
      case '/v3/cluster/member/list': {
        const listed = this.members.map(({ ID, address: at, isLearner }) => ({
          ID,
          isLearner,
          peerURLs: [`https://${at}:2380`],
        }));
        return { status: 200, body: { members: listed } };
      }
      case '/v3/cluster/member/add':
        this.add(new URL((body.peerURLs as string[])[0] ?? '').hostname, true);
        return { status: 200, body: {} };
      case '/v3/cluster/member/promote':
        if (found) found.isLearner = false;
        return { status: 200, body: {} };
      case '/v3/cluster/member/remove':
        if (found) this.members.splice(this.members.indexOf(found), 1);
        return found ? { status: 200, body: {} } : { status: 404, body: { message: 'member not found' } };
      default:
        this.#leader = String(body.targetID);
        return { status: 200, body: {} };
    }
  }

  /** The leader stays the leader while it runs. */
  #leaderId(): string | undefined {
    const voters = this.members.filter(({ isLearner }) => !isLearner);
    const running = voters.filter(({ address }) => this.#isRunning(address));
    if (running.length <= voters.length / 2) return undefined;
    this.#leader = (running.find(({ ID }) => ID === this.#leader) ?? running[0])?.ID ?? '';
    return this.#leader;
  }
}

/** Serves HTTPS with JSON bodies. If `respond` returns nothing, the connection is closed. */
export async function serveJson(
  listen: { host: string; port: number },
  tls: { key: string; cert: string },
  respond: (request: Request) => Response | undefined,
): Promise<{ close: () => void }> {
  const server = createServer(tls, async (request, response) => {
    const body = await text(request);
    const { status, body: sent } =
      respond({
        method: request.method ?? '',
        url: new URL(request.url ?? '', 'https://localhost'),
        contentType: request.headers['content-type'],
        body: body === '' ? {} : (JSON.parse(body) as Fields),
      }) ?? {};
    if (status === undefined) response.destroy();
    else response.writeHead(status).end(JSON.stringify(sent));
  }).listen(listen);
  await once(server, 'listening');
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
