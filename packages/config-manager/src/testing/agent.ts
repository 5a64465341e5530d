import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface Identity {
  key: string;
  certificate: string;
}

interface RequestOptions {
  body?: string | Buffer;
  headers?: Record<string, string>;
}

const run = promisify(execFile);

/** Makes a key and a request for a certificate, as an agent does; `config` is what OpenSSL's `req` reads. */
export async function createRequest(
  name: string,
  {
    token,
    extensions = [],
    subject = `CN = ${name}`,
    bits = 2048,
  }: { token?: string; extensions?: string[]; subject?: string; bits?: number } = {},
): Promise<{ key: string; request: string }> {
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
    await run(
      'openssl',
      ['req', '-new', '-newkey', `rsa:${bits}`, '-nodes', '-config', 'config', '-keyout', 'key', '-out', 'request'],
      { cwd: folder },
    );
    return {
      key: await readFile(join(folder, 'key'), 'utf8'),
      request: await readFile(join(folder, 'request'), 'utf8'),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** An agent that speaks the protocol over real TLS, for tests that need many of them or bad ones. */
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

  /** Enrols with a token and keeps the certificate. */
  async enrol(token: string, prepared?: { key: string; request: string }): Promise<Answer> {
    const { key, request } = prepared ?? (await createRequest(this.name, { token }));
    const sent = await this.send('PUT', `/puppet-ca/v1/certificate_request/${this.name}`, {
      body: request,
      headers: { 'content-type': 'text/plain' },
    });
    if (sent.status !== 200) return sent;
    const { status, body } = await this.send('GET', `/puppet-ca/v1/certificate/${this.name}`);
    if (status !== 200) throw new Error(`no certificate: ${status} ${body}`);
    this.use({ key, certificate: body });
    return sent;
  }

  use(identity: Identity): void {
    this.close();
    this.#identity = identity;
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

  send(method: string, path: string, { body, headers = {} }: RequestOptions = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest(
        {
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          agent: this.#https,
          headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const raw = Buffer.concat(chunks);
            const bytes = response.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes.toString() });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#https.destroy();
  }

  #connect(): HttpsAgent {
    // The server's certificate is for its name; what a test proves about it is proven elsewhere.
    return new HttpsAgent({
      keepAlive: true,
      maxSockets: 1,
      rejectUnauthorized: false,
      ...(this.#identity && { key: this.#identity.key, cert: this.#identity.certificate }),
    });
  }
}

/** Facts travel as JSON, encoded twice. */
export function catalogBody(name: string, facts: object): string {
  const document = JSON.stringify({ name, values: facts, timestamp: new Date().toISOString() });
  return `environment=production&facts_format=application%2Fjson&facts=${encodeURIComponent(encodeURIComponent(document))}`;
}

/** A report such as an agent sends, with as many changed resources as asked for. */
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
