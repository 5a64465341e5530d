import type { SecureContextOptions } from 'node:tls';
import { createClientApi, type Served } from '../api.ts';
import { clientEndpoint } from '../paths.ts';
import { certifyServer } from './authority.ts';

// Far more often than it ends: a host may sleep for longer than a certificate lasts.
const renewalMilliseconds = 3600 * 1000;

/** Serves the engine to the network of machines, under a certificate that is renewed while it runs. */
export async function serveClients(
  served: Served,
  { host, port }: { host: string; port: number } = clientEndpoint,
  renewEvery: number = renewalMilliseconds,
): Promise<{ port: number; close: () => Promise<void> }> {
  const secure = async () => ({
    ca: served.issuer.certificate,
    minVersion: 'TLSv1.2' as const,
    ...(await certifyServer(served.issuer, host)),
  });
  const api = await createClientApi(served, await secure());
  await api.listen({ host, port });
  const server = api.server as unknown as { setSecureContext: (context: SecureContextOptions) => void };
  const renew = async () => server.setSecureContext(await secure());
  const renewal = setInterval(() => {
    renew().catch((error: unknown) => console.error('the certificate could not be renewed:', error));
  }, renewEvery);
  return {
    port: (api.server.address() as { port: number }).port,
    close: async () => {
      clearInterval(renewal);
      await api.close();
    },
  };
}
