import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { socketClient } from '@nova-platform/http/client';

export { type ImportedImage, importLayout } from './import.ts';
export { RegistryWriter } from './writer.ts';

export interface Access {
  url: string;
  username: string;
  password: string;
}

export function defaultRegistrySocket(env: Readonly<Record<string, string | undefined>>): string {
  const folder = process.getuid?.() === 0 ? '/run' : (env.XDG_RUNTIME_DIR ?? `/tmp/nova-${process.getuid?.()}`);
  return env.NOVA_REGISTRY_SOCKET ?? join(folder, 'nova', 'registry.sock');
}

/** The registry as commands see it. */
export function registryClient(socket: string) {
  const { call, stream } = socketClient(
    socket,
    ({ code }) => new ProblemError(code === 'EACCES' ? problem('NOVA8212', {}) : problem('NOVA8211', {})),
  );
  return {
    access: () => call<Access>('GET', '/v1/access'),
    collect: (onLine: (line: { line: string }) => void) => stream('POST', '/v1/collect', undefined, onLine),
  };
}
