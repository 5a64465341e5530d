export { existingProvider, type Hosts, type JoinedHost } from './existing/provider.ts';
export { type EngineConnection, localProvider } from './local/provider.ts';
export { checkProvider } from './ovirt/check.ts';
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
export { createTofuTables, type TofuSchema } from './tofu/schema.ts';
export { StateServer } from './tofu/state-server.ts';
export { TofuStates } from './tofu/states.ts';
export { Tofu, type TofuFolders } from './tofu/tofu.ts';
