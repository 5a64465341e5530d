import { join } from 'node:path';
import { defaultSite } from '@nova-platform/plan';

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

export const socketPath: string = join(paths.runtime, 'engine.sock');
/** Where clients with a certificate reach the engine: the host's place in the external network. */
export const clientEndpoint = { host: defaultSite.external.gateway, port: 7443 } as const;
export const runcRoot: string = join(paths.runtime, 'runc');
/** Root file system of the network's daemons. */
export const networkRoot: string = join(paths.state, 'ovn');
