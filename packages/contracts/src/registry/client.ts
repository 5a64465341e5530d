import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { apiClient, clientOf } from '@nova-platform/http/client';
import { registryContract, type StorageSize } from './contract.ts';

export type { RegistryAccess, StorageSize } from './contract.ts';
export { type ImportedImage, importLayout } from './import.ts';
export { RegistryWriter } from './writer.ts';

export function defaultRegistrySocket(env: Readonly<Record<string, string | undefined>>): string {
  const folder = process.getuid?.() === 0 ? '/run' : (env.XDG_RUNTIME_DIR ?? `/tmp/nova-${process.getuid?.()}`);
  return env.NOVA_REGISTRY_SOCKET ?? join(folder, 'nova', 'registry.sock');
}

export type RegistryClient = ReturnType<typeof registryClient>;

export function registryClient(socket: string) {
  const client = clientOf(
    registryContract,
    apiClient(
      { socketPath: socket },
      ({ code }) => new ProblemError(code === 'EACCES' ? problem('NOVA8212', {}) : problem('NOVA8211', {})),
    ),
  );
  return {
    access: () => client.access({}),
    size: () => client.size({}),
    /** Returns the freed size. */
    collect: async (onLine: (line: string) => void): Promise<StorageSize> => {
      let freed: StorageSize = { blobs: 0, bytes: 0 };
      await client.collect({}, (line) => {
        if ('freed' in line) freed = line.freed;
        else onLine(line.line);
      });
      return freed;
    },
  };
}
