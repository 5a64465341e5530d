import type { Server, TLSSocket } from 'node:tls';
import { createClientApi, type Served } from '../api.ts';
import { certifyEngine } from './authority.ts';
import type { Clients } from './clients.ts';

// Far more often than needed: a host may sleep for longer than the lifetime of a certificate.
const renewalMilliseconds = 3600 * 1000;

/** Serves the engine's API to the network of the machines. Renews its certificate while it runs. */
export async function serveClients(
  served: Served,
  { host, port }: { host: string; port: number },
  renewEvery: number = renewalMilliseconds,
): Promise<{ port: number; close: () => Promise<void> }> {
  const secure = async () => ({
    ca: served.issuer.certificate,
    minVersion: 'TLSv1.2' as const,
    ...(await certifyEngine(served.issuer, host)),
  });
  const api = await createClientApi(served, host, await secure());
  await api.listen({ host, port });
  const server = api.server as unknown as Server;
  const ended = endRevoked(server, served.clients);
  const renew = async () => server.setSecureContext(await secure());
  const renewal = setInterval(() => {
    renew().catch((error: unknown) => console.error('the certificate could not be renewed:', error));
  }, renewEvery);
  return {
    port: (api.server.address() as { port: number }).port,
    close: async () => {
      clearInterval(renewal);
      ended();
      await api.close();
    },
  };
}

/** Closes connections of clients whose certificates are removed from the list. Returns a function that stops it. */
function endRevoked(server: Server, clients: Clients): () => void {
  const open = new Set<TLSSocket>();
  // A certificate that has not been used yet may still be adopted.
  server.on('secureConnection', (socket) => {
    if (!clients.has(socket.getPeerX509Certificate())) return;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return clients.onRevoked(() => {
    for (const socket of open) if (!clients.has(socket.getPeerX509Certificate())) socket.destroy();
  });
}
