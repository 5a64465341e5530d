import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { holder, type TofuStates } from './states.ts';

/** The state of a cluster with a thousand machines has about ten megabytes. */
const maxStateBytes = 64 * 1024 ** 2;
const address = '127.0.0.1';

/** How one run of OpenTofu reaches the state of one cluster: settings of its `http` backend, for its environment. */
export interface StateAccess extends Disposable {
  environment: Record<string, string>;
}

/**
 * The `http` backend of OpenTofu, for runs on this machine. Every run gets a token for the state of one cluster, which ends
 * with the run: an orphan of a killed Universe cannot write.
 */
export class StateServer implements AsyncDisposable {
  readonly #states: TofuStates;
  readonly #server: Server;
  /** Clusters by the token of a run. */
  readonly #runs = new Map<string, string>();

  private constructor(states: TofuStates) {
    this.#states = states;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => end(response, 500));
    });
  }

  static async start(states: TofuStates): Promise<StateServer> {
    const server = new StateServer(states);
    server.#server.listen(0, address);
    await once(server.#server, 'listening');
    return server;
  }

  /** Access to the state of a cluster until it is disposed of. */
  access(cluster: string): StateAccess {
    const token = randomBytes(32).toString('base64url');
    this.#runs.set(token, cluster);
    const { port } = this.#server.address() as { port: number };
    const url = `http://${address}:${port}/state`;
    return {
      environment: {
        TF_HTTP_ADDRESS: url,
        TF_HTTP_LOCK_ADDRESS: url,
        TF_HTTP_UNLOCK_ADDRESS: url,
        TF_HTTP_USERNAME: 'tofu',
        TF_HTTP_PASSWORD: token,
        TF_HTTP_RETRY_MAX: '5',
      },
      [Symbol.dispose]: () => void this.#runs.delete(token),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const cluster = this.#clusterOf(request);
    if (cluster === undefined) return end(response, 401);
    const body = await bodyOf(request);
    if (body === undefined) return end(response, 413);
    switch (request.method) {
      case 'GET': {
        const state = await this.#states.read(cluster);
        return state === undefined ? end(response, 204) : end(response, 200, state);
      }
      case 'POST': {
        if (!isIntact(request, body)) return end(response, 400);
        const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('ID') ?? undefined;
        return end(response, (await this.#states.write(cluster, body.toString(), id)) ? 200 : 409);
      }
      case 'LOCK':
      case 'UNLOCK': {
        const asked = holder.safeParse(JSON.parse(body.toString()));
        if (!asked.success) return end(response, 400);
        const { data } = asked;
        const held = await (request.method === 'LOCK'
          ? this.#states.lock(cluster, data)
          : this.#states.unlock(cluster, data.ID));
        return held ? end(response, 423, JSON.stringify(held)) : end(response, 200);
      }
      default:
        // A state is deleted with its cluster, never by OpenTofu.
        return end(response, 405);
    }
  }

  #clusterOf({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
    const given = Buffer.from(authorization);
    const found = [...this.#runs].find(([token]) => {
      const wanted = Buffer.from(`Basic ${Buffer.from(`tofu:${token}`).toString('base64')}`);
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    });
    return found?.[1];
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxStateBytes) return undefined;
  return buffer(request);
}

function isIntact({ headers }: IncomingMessage, body: Buffer): boolean {
  const sum = headers['content-md5'];
  return sum === undefined || sum === createHash('md5').update(body).digest('base64');
}

function end(response: ServerResponse, status: number, body = ''): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
