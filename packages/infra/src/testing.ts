import { mebibytesOf, type Problem } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';
import { nodeImages } from './local/preflight.ts';
import type { InfrastructureProvider, Machine, MachineSize, MachineState, Resources } from './provider.ts';

export { serveStates, type TestStates } from './tofu/testing.ts';

export interface MemoryProvider extends InfrastructureProvider {
  /** All machines by name. */
  state: Map<string, MachineState & { cluster: string }>;
  /** The backends of the load balancer of each network. */
  networkState: Map<string, string[]>;
  /** Each network as it was ensured last. */
  networkPlans: Map<string, Pick<ClusterPlan, 'network' | 'api'>>;
  /** Every change, in order. */
  log: string[];
  /** What preflight reports. */
  problems: Problem[];
  /** Whether VMs are not emulated. */
  isKvmThere: boolean;
}

/** The software of the machines. */
interface Guests {
  /** Only a new machine has a cloud-init configuration. */
  boot: (machine: MachineState, cloudConfig?: string) => void;
  halt: (name: string) => void;
}

/** What preflight reports for every plan. */
export const memoryResources = {
  memory: { needed: 2 * 1024 ** 3, available: 64 * 1024 ** 3 },
  disk: { needed: 4 * 1024 ** 3, available: 512 * 1024 ** 3 },
  processors: { needed: 2, available: 8 },
} satisfies Resources;

/** A provider whose machines and networks exist only in memory. */
export function memoryProvider(guests?: Guests): MemoryProvider {
  const state: MemoryProvider['state'] = new Map();
  const networkState: MemoryProvider['networkState'] = new Map();
  const networkPlans: MemoryProvider['networkPlans'] = new Map();
  const log: string[] = [];
  const problems: Problem[] = [];
  const machinesOf = (cluster: string) => [...state.values()].filter((machine) => machine.cluster === cluster);
  const existing = (name: string) => {
    const machine = state.get(name);
    if (!machine) throw new Error(`no machine ${name}`);
    return machine;
  };
  const start = async (name: string) => {
    log.push(`start ${name}`);
    const machine = { ...existing(name), state: 'running' as const };
    state.set(name, machine);
    guests?.boot(machine);
  };
  const provider: MemoryProvider = {
    state,
    networkState,
    networkPlans,
    log,
    problems,
    isKvmThere: false,
    machines: {
      ensure: async (machine) => {
        const found = state.get(machine.name);
        if (found) return start(machine.name);
        log.push(`create ${machine.name}`);
        const cloudConfig = await machine.cloudConfig();
        const made = created(machine);
        state.set(machine.name, made);
        guests?.boot(made, cloudConfig);
      },
      resize: async (name, size) => {
        log.push(`resize ${name}`);
        state.set(name, { ...existing(name), ...storedSize(size) });
      },
      stop: async (name) => {
        log.push(`stop ${name}`);
        state.set(name, { ...existing(name), state: 'stopped' });
        guests?.halt(name);
      },
      start,
      remove: async (name) => {
        if (!state.delete(name)) return;
        log.push(`remove ${name}`);
        guests?.halt(name);
      },
      observe: async (cluster) => machinesOf(cluster),
    },
    networks: {
      ensure: async ({ cluster, network, api }) => {
        log.push(`network ${cluster.name}`);
        networkPlans.set(cluster.name, { network, api });
        networkState.set(cluster.name, networkState.get(cluster.name) ?? []);
      },
      balance: async ({ cluster }, backends) => {
        const names = backends.map(({ name }) => name);
        log.push(`balance ${names.join(' ')}`);
        networkState.set(cluster.name, names);
      },
      remove: async (cluster) => {
        for (const { name } of machinesOf(cluster)) state.delete(name);
        networkPlans.delete(cluster);
        if (networkState.delete(cluster)) log.push(`remove network ${cluster}`);
      },
    },
    preflight: async ({ cluster }) => ({
      problems,
      resources: memoryResources,
      machines: machinesOf(cluster.name),
      processors: memoryResources.processors.available,
      canLimitDisks: true,
      hasKvm: provider.isKvmThere,
    }),
    hasKvm: async () => provider.isKvmThere,
  };
  return provider;
}

function created({ name, kind, cluster, address, cpu, memory, disk }: Machine) {
  const image = { image: nodeImages[kind], imageDigest: 'sha256:0' };
  return {
    name,
    kind,
    cluster,
    address,
    ...storedSize({ cpu, memory, disk }),
    isDiskLimited: true,
    state: 'running' as const,
    ...image,
  };
}

/** Sizes in whole mebibytes, as the provider `local` reports them. */
export function storedSize<Size extends Partial<MachineSize>>(size: Size): Size {
  const { memory, disk } = size;
  return {
    ...size,
    ...(memory !== undefined && { memory: `${mebibytesOf(memory)}Mi` }),
    ...(disk !== undefined && { disk: `${mebibytesOf(disk)}Mi` }),
  };
}
