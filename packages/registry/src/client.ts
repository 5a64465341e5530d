import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { apiClient } from '@nova-platform/http/client';
import type { StorageSize } from './storage-size.ts';

export { type ImportedImage, importLayout } from './import.ts';
export { RegistryWriter } from './writer.ts';
export type { StorageSize };

export interface Access {
  url: string;
  username: string;
  password: string;
}

export function defaultRegistrySocket(env: Readonly<Record<string, string | undefined>>): string {
  const folder = process.getuid?.() === 0 ? '/run' : (env.XDG_RUNTIME_DIR ?? `/tmp/nova-${process.getuid?.()}`);
  return env.NOVA_REGISTRY_SOCKET ?? join(folder, 'nova', 'registry.sock');
}

export type RegistryClient = ReturnType<typeof registryClient>;

/** The registry as commands see it. */
export function registryClient(socket: string) {
  const { call, stream } = apiClient(
    { socketPath: socket },
    ({ code }) => new ProblemError(code === 'EACCES' ? problem('NOVA8212', {}) : problem('NOVA8211', {})),
  );
  return {
    access: () => call<Access>('GET', '/v1/access'),
    /** What everything in the registry takes, uploads that are under way as well, and what is left on its disk. */
    size: () => call<{ bytes: number; freeBytes: number }>('GET', '/v1/size'),
    /** Answers what was freed. */
    collect: async (onLine: (line: { line: string }) => void): Promise<StorageSize> => {
      let freed: StorageSize = { blobs: 0, bytes: 0 };
      await stream<{ line: string } | { freed: StorageSize }>('POST', '/v1/collect', undefined, (line) => {
        if ('freed' in line) freed = line.freed;
        else onLine(line);
      });
      return freed;
    },
  };
}
