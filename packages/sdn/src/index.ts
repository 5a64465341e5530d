export type { Applied, ApplyOptions } from './apply.ts';
export {
  type Daemon,
  type Datapath,
  detectDatapath,
  type HostOptions,
  ovnDaemons,
  prepareRoot,
} from './daemons.ts';
export { type Attachment, type HostLink, type Link, removeBridgeLinks } from './links.ts';
export { linkName } from './names.ts';
export { OutcomeUnknown, TransactionRefused, Unreachable } from './ovsdb.ts';
export { Sdn } from './sdn.ts';
export type { NetworkStatus, RouterStatus, SwitchStatus } from './status.ts';
export type {
  ClusterNetwork,
  ExternalNetwork,
  IntegrationNetwork,
  LoadBalancer,
  Name,
  Port,
  Published,
  Topology,
} from './topology.ts';
