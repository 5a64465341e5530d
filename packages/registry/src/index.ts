export { type Certify, type Registry, type RegistryOptions, startRegistry } from './registry.ts';
export type { Address } from './settings.ts';
