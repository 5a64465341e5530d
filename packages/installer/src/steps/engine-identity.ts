import { engineClient } from '@nova-platform/contracts/engine/client';
import type { UniverseClient } from '@nova-platform/contracts/universe/client';
import { clientEndpoint, keptSite } from '@nova-platform/engine';
import type { Step } from '../step.ts';

const renewBeforeDays = 30;

/** Gives Universe the certificate with which it calls the engine. */
export const engineIdentity = (client: () => UniverseClient): Step => ({
  title: { en: 'certificate of Universe for the engine', ru: 'сертификат Universe для движка' },
  run: async () => {
    const { publicKey, notAfter } = await client().engineIdentity({});
    const isValid = notAfter !== undefined && Date.parse(notAfter) - Date.now() > renewBeforeDays * 24 * 3600_000;
    if (isValid && (await reachesEngine(client()))) return false;
    const { certificate, authority } = await engineClient.createClient('universe', publicKey);
    const endpoint = clientEndpoint(await keptSite());
    await client().acceptEngineIdentity({ body: { certificate, authority, ...endpoint } });
    return true;
  },
});

/** A single slow response does not justify a new certificate. */
async function reachesEngine(client: UniverseClient): Promise<boolean> {
  for (let tries = 0; tries < 3; tries += 1) {
    const { services } = await client.status({});
    if (services.some(({ name, isReady }) => name === 'engine' && isReady)) return true;
  }
  return false;
}
