import { join } from 'node:path';
import type { Site } from '@nova-platform/plan';

/** Everything of ours on a host is below these folders or carries the name `nova`. */
export const paths = {
  /** What must survive a restart of the host. */
  state: '/var/lib/nova',
  /** What is built from recipes, and can be built again. */
  cache: '/var/cache/nova',
  /** Sockets and what is true only while the host runs. */
  runtime: '/run/nova',
  logs: '/var/log/nova',
} as const;

/** Built programs and images. */
export const builtFolder: string = paths.cache;
export const clientPort = 7443;
/** Where clients with a certificate reach the engine: the host's address in the external network. */
export function clientEndpoint({ external }: Site): { host: string; port: number } {
  return { host: external.gateway, port: clientPort };
}
export const runcRoot: string = join(paths.runtime, 'runc');
/** Root file system of the network's daemons. */
export const networkRoot: string = join(paths.state, 'ovn');
