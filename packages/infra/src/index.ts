export { existingProvider, type Hosts, type JoinedHost } from './existing/provider.ts';
export { type EngineConnection, localProvider } from './local/provider.ts';
export type {
  InfrastructureProvider,
  Machine,
  MachineSize,
  MachineState,
  Networks,
  Preflight,
  Resources,
} from './provider.ts';
export { Providers, suitableKind } from './providers.ts';
