export type { WatchIdentities } from './identities.ts';
export { type Certify, type Registry, type RegistryOptions, startRegistry } from './registry.ts';
export type { Address } from './settings.ts';
