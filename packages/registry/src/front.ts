import { open } from 'node:fs/promises';
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import type { Identities } from './identities.ts';
import type { Address } from './settings.ts';

export interface Front {
  /** The port it listens on. */
  port: number;
  setCertificate: (certificate: SecureContextOptions) => void;
  /** Closes the connections of identities that are no longer valid. */
  closeRevoked: () => void;
  close: () => Promise<void>;
}

interface FrontOptions {
  listen: Address;
  /** The socket of the upstream registry, which does not authenticate clients. */
  upstream: string;
  /** The folder where the registry stores images. */
  storage: string;
  certificate: SecureContextOptions;
  identities: Identities;
}

/** Request headers that are passed to the registry. */
const passedHeaders = ['accept', 'accept-encoding', 'range', 'if-range', 'if-none-match', 'if-modified-since'];
/** Hop-by-hop headers, which are not passed on. */
const ownHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const maxConnections = 5000;
/** The storage layout of CNCF Distribution. */
const blobsFolder = join('docker', 'registry', 'v2', 'blobs', 'sha256');
const chunk = 1024 * 1024;

/**
 * The endpoint that nodes pull from. It is read-only and checks the identity of the connection before every request.
 */
export async function startFront({ listen, upstream, storage, certificate, identities }: FrontOptions): Promise<Front> {
  const registry = { socketPath: upstream, storage, agent: new Agent({ keepAlive: true }) };
  const connections = new Set<TLSSocket>();
  const tls = { requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' as const };
  const server = createServer({ ...certificate, ...tls, keepAliveTimeout: 75_000 }, (request, response) => {
    const refused = refusalOf(request, identities);
    if (refused) refuse(request, response, ...refused);
    else pass(request, response, registry);
  });
  server.maxConnections = maxConnections;
  server.on('secureConnection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listen, () => resolve());
  });
  return {
    port: (server.address() as { port: number }).port,
    setCertificate: (renewed) => server.setSecureContext({ ...renewed, minVersion: tls.minVersion }),
    closeRevoked: () => {
      for (const connection of connections) if (!identities.has(serialOf(connection))) connection.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        registry.agent.destroy();
      }),
  };
}

type Refusal = [status: number, code: string, message: string];

function refusalOf({ method, socket }: IncomingMessage, identities: Identities): Refusal | undefined {
  const connection = socket as TLSSocket;
  // A connection can outlive its client certificate.
  const isExpired = !((connection.getPeerX509Certificate()?.validToDate.getTime() ?? 0) > Date.now());
  if (isExpired || !identities.has(serialOf(connection)))
    return [403, 'DENIED', 'the certificate of this node is revoked, expired or unknown'];
  if (method !== 'GET' && method !== 'HEAD') return [405, 'UNSUPPORTED', 'nodes can only pull'];
  return undefined;
}

const serials = new WeakMap<TLSSocket, string>();

function serialOf(connection: TLSSocket): string | undefined {
  const known = serials.get(connection) ?? connection.getPeerX509Certificate()?.serialNumber;
  if (known !== undefined) serials.set(connection, known);
  return known;
}

/** Responds with an error of the distribution protocol. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, code: string, message: string) {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ errors: [{ code, message }] }));
  request.resume();
}

interface Upstream {
  socketPath: string;
  storage: string;
  agent: Agent;
}

/**
 * The registry decides on every request. Complete blobs, which are nearly all of the traffic, are then read from disk:
 * a copy through the registry process takes several times as long.
 */
function pass(request: IncomingMessage, response: ServerResponse, registry: Upstream): void {
  const { method, url = '', headers: asked } = request;
  const blob =
    method === 'GET' && asked.range === undefined ? /\/blobs\/sha256:([0-9a-f]{64})$/.exec(url)?.[1] : undefined;
  const { socketPath, agent } = registry;
  const headers = Object.fromEntries(passedHeaders.flatMap((name) => (asked[name] ? [[name, asked[name]]] : [])));
  const outgoing = httpRequest({
    socketPath,
    agent,
    method: blob === undefined ? method : 'HEAD',
    path: url,
    headers: { ...headers, host: asked.host ?? 'registry', 'x-forwarded-proto': 'https' },
  });
  outgoing.on('response', (answer) => {
    const { statusCode = 502 } = answer;
    const kept = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !ownHeaders.has(name)));
    const send = async () => {
      if (blob === undefined || statusCode !== 200) {
        response.writeHead(statusCode, kept);
        return pipeline(answer, response);
      }
      answer.resume();
      const content = await open(join(registry.storage, blobsFolder, blob.slice(0, 2), blob, 'data'));
      response.writeHead(statusCode, kept);
      return pipeline(content.createReadStream({ highWaterMark: chunk }), response);
    };
    send().catch(() => fail(request, response));
  });
  outgoing.on('error', () => fail(request, response));
  response.on('close', () => outgoing.destroy());
  outgoing.end();
}

/** A truncated response must not look complete. */
function fail(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else refuse(request, response, 503, 'UNAVAILABLE', 'the registry is restarting; retry');
}
