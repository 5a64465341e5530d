import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** Whether it used the connection of the previous request. */
  isReused: boolean;
}

export interface Identity {
  key: string;
  certificate: string;
}

interface RequestOptions {
  body?: string | Buffer;
  headers?: Record<string, string>;
}

const run = promisify(execFile);

export interface PreparedRequest {
  key: string;
  request: string;
}

interface RequestContent {
  token?: string;
  /** Lines of the OpenSSL configuration. */
  extensions?: string[];
  subject?: string;
  /** The size of a new key; or an existing key. */
  bits?: number;
  key?: string;
}

/** A certificate request like an agent's, made with OpenSSL. */
export async function createRequest(
  name: string,
  { token, extensions = [], subject = `CN = ${name}`, bits = 2048, key }: RequestContent = {},
): Promise<PreparedRequest> {
  const folder = await mkdtemp(join(tmpdir(), 'nova-agent-'));
  try {
    const config = [
      '[req]',
      'prompt = no',
      'distinguished_name = subject',
      ...(token === undefined ? [] : ['attributes = attributes']),
      ...(extensions.length > 0 ? ['req_extensions = extensions'] : []),
      '[subject]',
      subject,
      '[attributes]',
      `challengePassword = ${token ?? ''}`,
      '[extensions]',
      ...extensions,
    ];
    await writeFile(join(folder, 'config'), config.join('\n'));
    if (key !== undefined) await writeFile(join(folder, 'key'), key);
    const ofKey = key === undefined ? ['-newkey', `rsa:${bits}`, '-nodes', '-keyout', 'key'] : ['-key', 'key'];
    await run('openssl', ['req', '-new', ...ofKey, '-config', 'config', '-out', 'request'], { cwd: folder });
    return {
      key: await readFile(join(folder, 'key'), 'utf8'),
      request: await readFile(join(folder, 'request'), 'utf8'),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** An agent that uses the real protocol over TLS, for tests that need many agents or misbehaving ones. */
export class SimulatedAgent {
  readonly name: string;
  readonly #port: number;
  #https: HttpsAgent;
  #identity: Identity | undefined;

  constructor(name: string, port: number, identity?: Identity) {
    this.name = name;
    this.#port = port;
    this.#identity = identity;
    this.#https = this.#connect();
  }

  get identity(): Identity | undefined {
    return this.#identity;
  }

  /** Enrols with a token and stores the certificate. */
  async enrol(token: string, prepared?: PreparedRequest): Promise<Answer> {
    const { key, request } = prepared ?? (await createRequest(this.name, { token }));
    const sent = await this.submit(request);
    if (sent.status !== 200) return sent;
    const { status, body } = await this.certificate();
    if (status !== 200) throw new Error(`no certificate: ${status} ${body}`);
    this.use({ key, certificate: body });
    return sent;
  }

  /** Only sends a certificate request. */
  submit(request: string): Promise<Answer> {
    return this.send('PUT', `/puppet-ca/v1/certificate_request/${this.name}`, {
      body: request,
      headers: { 'content-type': 'text/plain' },
    });
  }

  certificate(): Promise<Answer> {
    return this.send('GET', `/puppet-ca/v1/certificate/${this.name}`);
  }

  use(identity: Identity): void {
    this.#identity = identity;
    this.reconnect();
  }

  /** The next request opens a new connection. */
  reconnect(): void {
    this.close();
    this.#https = this.#connect();
  }

  catalog(facts: object = {}): Promise<Answer> {
    return this.send('POST', `/puppet/v3/catalog/${this.name}?environment=production`, {
      body: catalogBody(this.name, facts),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-encoding': 'gzip' },
    });
  }

  report(report: object): Promise<Answer> {
    return this.send('PUT', `/puppet/v3/report/${this.name}?environment=production`, {
      body: JSON.stringify(report),
      headers: { 'content-type': 'application/json' },
    });
  }

  /** The next order, such as `run 1b4e…`. */
  async order(seconds: number): Promise<{ kind: string; id: string }> {
    const { body } = await this.send('GET', `/nova/v1/nodes/${this.name}/order?wait=${seconds}`);
    const [kind = '', id = ''] = body.trim().split(' ');
    return { kind, id };
  }

  /** Streams the log of a run: each write is sent at once. */
  openLog(order: string): { write: (text: string | Buffer) => void; end: () => Promise<Answer>; tear: () => void } {
    const answer = Promise.withResolvers<Answer>();
    const outgoing = this.#open('PUT', `/nova/v1/nodes/${this.name}/orders/${order}/log`, {}, answer);
    outgoing.flushHeaders();
    // After tear(), the response is not awaited.
    answer.promise.catch(() => undefined);
    return {
      write: (text) => void outgoing.write(text),
      end: () => {
        outgoing.end();
        return answer.promise;
      },
      tear: () => void outgoing.destroy(),
    };
  }

  send(method: string, path: string, { body, headers = {} }: RequestOptions = {}): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>();
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    this.#open(method, path, { ...headers, ...length }, answer).end(body);
    return answer.promise;
  }

  close(): void {
    this.#https.destroy();
  }

  #open(
    method: string,
    path: string,
    headers: Record<string, string>,
    answer: PromiseWithResolvers<Answer>,
  ): ClientRequest {
    const outgoing = httpsRequest(
      { host: '127.0.0.1', port: this.#port, method, path, agent: this.#https, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', answer.reject);
        response.on('end', () => {
          const raw = Buffer.concat(chunks);
          const bytes = response.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
          answer.resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: bytes.toString(),
            isReused: outgoing.reusedSocket,
          });
        });
      },
    );
    return outgoing.on('error', answer.reject);
  }

  #connect(): HttpsAgent {
    // The server's certificate is for its DNS name; other tests verify it.
    return new HttpsAgent({
      keepAlive: true,
      maxSockets: 1,
      rejectUnauthorized: false,
      ...(this.#identity && { key: this.#identity.key, cert: this.#identity.certificate }),
    });
  }
}

/** The status and code of a rejected request, such as `403 NOVA8020`. */
export function refusalOf({ status, body }: Answer): string {
  return `${status} ${/^NOVA\d{4}/.exec(body)?.[0] ?? body}`;
}

/** Facts are JSON, URL-encoded twice. */
export function catalogBody(name: string, facts: object): string {
  const document = JSON.stringify({ name, values: facts, timestamp: new Date().toISOString() });
  return `environment=production&facts_format=application%2Fjson&facts=${encodeURIComponent(encodeURIComponent(document))}`;
}

/** An agent's report with the given number of changed resources. */
export function reportOf(
  name: string,
  { catalog = '1', changed = 0, status }: { catalog?: string; changed?: number; status?: string } = {},
): object {
  const resource = (index: number) => ({
    title: `/etc/file-${index}`,
    resource_type: 'File',
    tags: ['file', 'piece:test'],
    changed: true,
    failed: false,
    skipped: false,
    corrective_change: false,
    events: [
      {
        property: 'content',
        previous_value: 'a',
        desired_value: 'b',
        message: "content changed 'a' to 'b'",
        status: 'success',
        corrective_change: false,
      },
    ],
  });
  return {
    host: name,
    time: new Date().toISOString(),
    status: status ?? (changed > 0 ? 'changed' : 'unchanged'),
    noop: false,
    configuration_version: catalog,
    puppet_version: '8.10.0',
    report_format: 12,
    metrics: {
      time: { name: 'time', label: 'Time', values: [['total', 'Total', 1.5]] },
      resources: { name: 'resources', label: 'Resources', values: [['total', 'Total', 60]] },
    },
    logs: [],
    resource_statuses: Object.fromEntries(
      Array.from({ length: changed }, (_, index) => [`File[/etc/file-${index}]`, resource(index)]),
    ),
  };
}
