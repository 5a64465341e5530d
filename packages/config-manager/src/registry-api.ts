import { isDeepStrictEqual } from 'node:util';
import { ProblemError, problem } from '@nova-platform/api';
import { configContract } from '@nova-platform/contracts/config-manager';
import { createHttpApi, type HttpApi, serve } from '@nova-platform/http';
import { configHandlers } from './admin-api.ts';
import type { Services } from './manager.ts';

/**
 * The API for the registry, with minimal rights: a certificate for its own name and address, and the valid identities
 * of nodes.
 */
export async function createRegistryApi(services: Services): Promise<HttpApi> {
  const { manager } = services;
  const { certifyServer, watchIdentities } = configHandlers(services);
  const own = { dnsNames: manager.registry.split(':').slice(0, 1), addresses: [manager.address] };
  const api = await createHttpApi({ title: 'Nova Configuration Manager for the registry' });
  serve(
    api,
    { certifyServer: configContract.certifyServer, watchIdentities: configContract.watchIdentities },
    {
      certifyServer: async (asked) => {
        const { dnsNames, addresses } = asked.body;
        if (!isDeepStrictEqual({ dnsNames, addresses }, own))
          throw new ProblemError(problem('NOVA8210', { names: [...own.dnsNames, ...own.addresses].join(', ') }));
        return certifyServer(asked);
      },
      watchIdentities,
    },
  );
  return api;
}
