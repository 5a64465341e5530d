import { Agent, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import type { Identities } from './identities.ts';
import type { Address } from './settings.ts';

export interface Front {
  /** The port that it listens on. */
  port: number;
  setCertificate: (certificate: SecureContextOptions) => void;
  /** Closes the connections of identities that are no longer valid. */
  closeRevoked: () => void;
  close: () => Promise<void>;
}

interface FrontOptions {
  listen: Address;
  /** The socket of the registry behind it, which answers whoever reaches it. */
  upstream: string;
  certificate: SecureContextOptions;
  identities: Identities;
}

/** What a client may say about the answer that it wants. */
const passedHeaders = ['accept', 'accept-encoding', 'range', 'if-range', 'if-none-match', 'if-modified-since'];
/** Of one connection, not of the answer. */
const ownHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const mostConnections = 5000;

/** Where nodes pull: checks before every request that the identity behind the connection is valid, and only reads. */
export async function startFront({ listen, upstream, certificate, identities }: FrontOptions): Promise<Front> {
  const agent = new Agent({ keepAlive: true });
  const connections = new Set<TLSSocket>();
  const tls = { requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' as const };
  const server = createServer({ ...certificate, ...tls, keepAliveTimeout: 75_000 }, (request, response) => {
    const refused = refusalOf(request, identities);
    if (refused) refuse(request, response, ...refused);
    else pass(request, response, upstream, agent);
  });
  server.maxConnections = mostConnections;
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
        agent.destroy();
      }),
  };
}

type Refusal = [status: number, code: string, message: string];

function refusalOf({ method, socket }: IncomingMessage, identities: Identities): Refusal | undefined {
  const connection = socket as TLSSocket;
  // A connection may last longer than the certificate that it was made with.
  const isExpired = !((connection.getPeerX509Certificate()?.validToDate.getTime() ?? 0) > Date.now());
  if (isExpired || !identities.has(serialOf(connection)))
    return [403, 'DENIED', 'the identity of this node is revoked, expired or unknown'];
  if (method !== 'GET' && method !== 'HEAD') return [405, 'UNSUPPORTED', 'nodes only pull'];
  return undefined;
}

const serials = new WeakMap<TLSSocket, string>();

function serialOf(connection: TLSSocket): string | undefined {
  const known = serials.get(connection) ?? connection.getPeerX509Certificate()?.serialNumber;
  if (known !== undefined) serials.set(connection, known);
  return known;
}

/** In the words of the distribution protocol. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, code: string, message: string) {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ errors: [{ code, message }] }));
  request.resume();
}

function pass(request: IncomingMessage, response: ServerResponse, socketPath: string, agent: Agent): void {
  const { method, url, headers: asked } = request;
  const headers = Object.fromEntries(passedHeaders.flatMap((name) => (asked[name] ? [[name, asked[name]]] : [])));
  const { host = 'registry' } = asked;
  const options = { socketPath, agent, method, path: url, headers: { ...headers, host, 'x-forwarded-proto': 'https' } };
  const outgoing = httpRequest(options, (answer) => {
    const kept = Object.entries(answer.headers).filter(([name]) => !ownHeaders.has(name));
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
    // A broken answer must not look like one that is complete.
    answer.pipe(response).on('close', () => answer.destroy());
    answer.on('error', () => response.destroy());
  });
  outgoing.on('error', () => {
    if (response.headersSent) response.destroy();
    else refuse(request, response, 503, 'UNAVAILABLE', 'the registry restarts; retry');
  });
  response.on('close', () => outgoing.destroy());
  outgoing.end();
}
