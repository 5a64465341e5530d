import type { InfrastructureProvider, Machine, MachineState } from './provider.ts';

export interface MemoryProvider extends InfrastructureProvider {
  /** All machines by name. */
  state: Map<string, MachineState & { cluster: string }>;
  /** The backends of the load balancer of each network. */
  networkState: Map<string, string[]>;
  /** Every change, in order. */
  log: string[];
}

/** A provider whose machines and networks exist only in memory. */
export function memoryProvider(): MemoryProvider {
  const state: MemoryProvider['state'] = new Map();
  const networkState: MemoryProvider['networkState'] = new Map();
  const log: string[] = [];
  const machinesOf = (cluster: string) => [...state.values()].filter((machine) => machine.cluster === cluster);
  const existing = (name: string) => {
    const machine = state.get(name);
    if (!machine) throw new Error(`no machine ${name}`);
    return machine;
  };
  return {
    state,
    networkState,
    log,
    machines: {
      ensure: async (machine) => {
        const found = state.get(machine.name);
        log.push(`${found ? 'start' : 'create'} ${machine.name}`);
        state.set(machine.name, found ? { ...found, state: 'running' } : await created(machine));
      },
      resize: async (name, size) => {
        log.push(`resize ${name}`);
        state.set(name, { ...existing(name), ...size });
      },
      stop: async (name) => {
        log.push(`stop ${name}`);
        state.set(name, { ...existing(name), state: 'stopped' });
      },
      start: async (name) => {
        log.push(`start ${name}`);
        state.set(name, { ...existing(name), state: 'running' });
      },
      remove: async (name) => {
        if (state.delete(name)) log.push(`remove ${name}`);
      },
      observe: async (cluster) => machinesOf(cluster),
    },
    networks: {
      ensure: async ({ cluster }) => {
        log.push(`network ${cluster.name}`);
        networkState.set(cluster.name, networkState.get(cluster.name) ?? []);
      },
      balance: async ({ cluster }, backends) => {
        const names = backends.map(({ name }) => name);
        log.push(`balance ${names.join(' ')}`);
        networkState.set(cluster.name, names);
      },
      remove: async (cluster) => {
        for (const { name } of machinesOf(cluster)) state.delete(name);
        if (networkState.delete(cluster)) log.push(`remove network ${cluster}`);
      },
    },
    preflight: async ({ cluster }) => ({
      problems: [],
      machines: machinesOf(cluster.name),
      processors: 8,
      canLimitDisks: true,
    }),
  };
}

async function created({ name, cluster, address, cpu, memory, disk, cloudConfig }: Machine) {
  await cloudConfig();
  const image = { image: 'kubernetes-node', imageDigest: 'sha256:0' };
  return { name, cluster, address, cpu, memory, disk, isDiskLimited: true, state: 'running' as const, ...image };
}
