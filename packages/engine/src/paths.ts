import { join } from 'node:path';
import type { Site } from '@nova-platform/plan';

/** Everything of Nova on a host is below these folders or has `nova` in its name. */
export const paths = {
  /** Data that must survive a restart of the host. */
  state: '/var/lib/nova',
  /** Build results, which can be rebuilt. */
  cache: '/var/cache/nova',
  /** Sockets and state that is valid only while the host runs. */
  runtime: '/run/nova',
  logs: '/var/log/nova',
} as const;

/** Built programs and images. */
export const builtFolder: string = paths.cache;
export const clientPort = 7443;
/** The address of the engine for clients with a certificate: the host's address in the external network. */
export function clientEndpoint({ external }: Site): { host: string; port: number } {
  return { host: external.gateway, port: clientPort };
}
export const runcRoot: string = join(paths.runtime, 'runc');
/** The root file system of the network daemons. */
export const networkRoot: string = join(paths.state, 'ovn');
