import { setDefaultCACertificates } from 'node:tls';
import { type ConfigClient, configClient, defaultSocket } from '@nova-platform/contracts/config-manager/client';
import { defaultRegistrySocket, type RegistryAccess, registryClient } from '@nova-platform/contracts/registry/client';
import { chosenContext } from './contexts.ts';
import type { Io } from './io.ts';
import { knownUniverse } from './universe.ts';

/** The Configuration Manager: the one with the given socket, else Universe's, else the standalone one on this host. */
export function configOf(io: Io): ConfigClient {
  const universe = io.env.NOVA_CONFIG_SOCKET ? undefined : knownUniverse(io);
  return universe ? configClient(universe.call, '/api') : configClient(defaultSocket(io.env));
}

/** The registry to import images into, chosen the same way. */
export async function imagesOf(io: Io): Promise<RegistryAccess> {
  const universe = io.env.NOVA_REGISTRY_SOCKET ? undefined : knownUniverse(io);
  const { context } = (universe && chosenContext(io)) ?? {};
  if (!universe || 'socketPath' in universe.connection || context?.token === undefined)
    return registryClient(defaultRegistrySocket(io.env)).access();
  setDefaultCACertificates([context.authority]);
  return { url: universe.server, username: context.user, password: context.token };
}
