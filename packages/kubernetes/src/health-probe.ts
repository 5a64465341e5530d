import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import type { Probe } from './health-observations.ts';

/** The client certificate of probes. */
export interface ProbeIdentity {
  cert: string;
  key: string;
}

const probeTimeout = 3000;
const peerPort = 2380;

const services: Record<
  Probe['service'],
  { port: number; path: string; certificate: string; complaintOf: (status: number, body: string) => string | undefined }
> = {
  // The kubelet reveals nothing to unauthenticated clients; any response is enough.
  kubelet: { port: 10250, path: '/healthz', certificate: 'kubelet-server', complaintOf: () => undefined },
  'kube-apiserver': { port: 6443, path: '/readyz?verbose', certificate: 'kube-apiserver', complaintOf: unmetChecks },
  etcd: { port: 2379, path: '/health', certificate: 'etcd-server', complaintOf: etcdComplaint },
};

/** A resumed TLS session has no certificate, so sessions are not cached. */
const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 });

/**
 * Probes a service of a node. The certificate is read and not verified: an expired one is a result, and the response is
 * used only in reports.
 */
export async function probe(service: Probe['service'], host: string, identity?: ProbeIdentity): Promise<Probe> {
  const { port, path, certificate, complaintOf } = services[service];
  try {
    // Credentials can contain the address of the API, so only the certificate and key are passed on.
    const { cert, key } = identity ?? {};
    const { status, body, notAfter } = await send({ host, port, path, ...(cert && key && { cert, key }) });
    const complaint = complaintOf(status, body);
    const peer = service === 'etcd' ? await peerCertificateEnd(host) : undefined;
    return {
      service,
      outcome: 'responds',
      ...(complaint !== undefined && { complaint }),
      certificates: [{ name: certificate, notAfter }, ...(peer ? [{ name: 'etcd-peer', notAfter: peer }] : [])],
    };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') return { service, outcome: 'refused', certificates: [] };
    const isThere = code === 'ECONNRESET' || /^ERR_SSL|^EPROTO/.test(code ?? '');
    return {
      service,
      outcome: isThere ? 'responds' : 'timeout',
      ...(isThere && { complaint: message }),
      certificates: [],
    };
  }
}

interface SendOptions extends Partial<ProbeIdentity> {
  host: string;
  port: number;
  path: string;
}

function send(options: SendOptions): Promise<{ status: number; body: string; notAfter: Date }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(probeTimeout);
    const outgoing = request({ ...options, agent, rejectUnauthorized: false, signal }, (response) => {
      const notAfter = endOf(response.socket as TLSSocket);
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body, notAfter }), reject);
    });
    outgoing.once('error', reject).end();
  });
}

/** etcd has a separate certificate for its peers. */
function peerCertificateEnd(host: string): Promise<Date | undefined> {
  return new Promise((resolve) => {
    const end = (found: Date | undefined) => {
      resolve(found);
      socket.destroy();
    };
    const socket = connect({ host, port: peerPort, rejectUnauthorized: false, timeout: probeTimeout }, () =>
      end(endOf(socket)),
    );
    socket.once('timeout', () => end(undefined)).once('error', () => end(undefined));
  });
}

function endOf(socket: TLSSocket): Date {
  return new Date(socket.getPeerCertificate().valid_to);
}

/** Failed checks, for example `[-]etcd failed: reason withheld`. */
function unmetChecks(status: number, body: string): string | undefined {
  if (status === 200) return undefined;
  const unmet = [...body.matchAll(/^\[-\](\S+)/gm)].map(([, check]) => check);
  return unmet.length > 0 ? unmet.join(', ') : `HTTP ${status}`;
}

function etcdComplaint(status: number, body: string): string | undefined {
  const { health, reason } = parsed(body);
  return health === 'true' ? undefined : (reason ?? `HTTP ${status}`);
}

function parsed(body: string): { health?: string; reason?: string } {
  try {
    return JSON.parse(body) as { health?: string; reason?: string };
  } catch {
    return {};
  }
}
