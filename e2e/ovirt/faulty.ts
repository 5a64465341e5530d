import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to a request: `lost` is done by the engine, and its response never arrives. */
type Fault =
  | { status: number; type: string; body: string; headers?: Record<string, string> }
  | 'drop'
  | 'lost'
  | undefined;

export interface FaultyProxy {
  url: string;
  /** Requests so far: `POST /vms`. */
  requests: string[];
  fault: (call: string, body: string) => Fault;
  close: () => Promise<void>;
}

const prefix = '/ovirt-engine/api';

/** A proxy in front of an engine that fails as networks and proxies do. */
export async function startFaultyProxy(target: string, authority: string): Promise<FaultyProxy> {
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = '', url = '', headers } = incoming;
    const body = await buffer(incoming);
    const call = `${method} ${url.replace(prefix, '').split('?')[0]}`;
    proxy.requests.push(call);
    const fault = proxy.fault(call, body.toString());
    if (fault === 'drop') return void incoming.socket.destroy();
    if (fault !== undefined && fault !== 'lost')
      return void outgoing.writeHead(fault.status, { 'content-type': fault.type, ...fault.headers }).end(fault.body);
    const send = target.startsWith('https:') ? secureRequest : request;
    const forwarded = send(
      new URL(url, target),
      { method, headers: { ...headers, host: new URL(target).host }, ca: authority },
      (response) => {
        if (fault === 'lost') {
          response.resume().on('end', () => incoming.socket.destroy());
          return;
        }
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on('error', () => incoming.socket.destroy());
    forwarded.end(body);
  };
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${port}${prefix}`,
    requests: [],
    fault: () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
