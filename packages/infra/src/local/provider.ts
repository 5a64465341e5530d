import { mebibytesOf, ProblemError } from '@nova-platform/api';
import type { EngineClient, MachineStatus } from '@nova-platform/contracts/engine/client';
import { type ClusterPlan, controlPlanes, type PlannedNode } from '@nova-platform/plan';
import type { InfrastructureProvider, Machine, MachineSize, MachineState, Preflight } from '../provider.ts';
import { nodeImages, preflight, resourcesOf } from './preflight.ts';

const rememberedMilliseconds = 10_000;

/** Access to the engine. */
export interface EngineConnection {
  /** False until the engine has issued a certificate to Universe. */
  isConnected: boolean;
  client: () => EngineClient;
}

/** Machines and networks of one Linux host, which the engine manages. The network of a cluster has the cluster's name. */
export function localProvider(connection: EngineConnection): InfrastructureProvider {
  const machinesOf = async (cluster: string) =>
    (await connection.client().machines()).filter(({ network }) => network === cluster);
  const remove = async (name: string) => {
    const engine = connection.client();
    if ((await engine.machines()).some((machine) => machine.name === name)) await engine.deleteMachine(name);
  };
  let known: { hasKvm: boolean; at: number } | undefined;
  /** Remembered for a while: steps that wait for emulated VMs need it all the time. */
  const hasKvm = async () => {
    if (!known || Date.now() - known.at > rememberedMilliseconds)
      known = { hasKvm: (await connection.client().host()).hasKvm, at: Date.now() };
    return known.hasKvm;
  };
  return {
    machines: {
      ensure: async (machine) => {
        const engine = connection.client();
        const found = (await engine.machines()).find(({ name }) => name === machine.name);
        if (found?.state === 'deleting') await engine.deleteMachine(machine.name);
        if (found && found.state !== 'deleting') await engine.startMachine(machine.name);
        else await create(engine, machine);
      },
      resize: async (name, size) => void (await connection.client().resizeMachine(name, engineSize(size))),
      stop: async (name) => void (await connection.client().stopMachine(name)),
      start: async (name) => void (await connection.client().startMachine(name)),
      remove,
      observe: async (cluster) => (await machinesOf(cluster)).map(stateOf),
    },
    networks: {
      ensure: (plan) => ensureNetwork(connection.client(), plan),
      balance: (plan, backends) => balance(connection.client(), plan, backends),
      remove: async (cluster) => {
        // An incomplete change leaves machines that are in no plan.
        for (const { name } of await machinesOf(cluster)) await remove(name);
        const engine = connection.client();
        if ((await engine.networks()).some(({ name }) => name === cluster)) await engine.deleteNetwork(cluster);
      },
    },
    hasKvm,
    preflight: async (plan) => (connection.isConnected ? preflightOn(connection.client(), plan) : undefined),
  };
}

async function create(
  engine: EngineClient,
  { name, kind, cluster, address, allowedNetworks, cloudConfig, ...size }: Machine,
) {
  const spec = {
    name,
    image: nodeImages[kind],
    network: cluster,
    address,
    ...engineSize(size),
    allowedNetworks,
    cloudConfig: await cloudConfig(),
  };
  await engine.createMachine(spec).catch(async (error: unknown) => {
    // An earlier request of ours, whose response was lost, has created it meanwhile.
    const exists = error instanceof ProblemError && error.problems[0]?.code === 'NOVA7021';
    if (!exists) throw error;
    await engine.startMachine(name);
  });
}

async function ensureNetwork(engine: EngineClient, plan: ClusterPlan): Promise<void> {
  const { name } = plan.cluster;
  const { network } = plan;
  if (network.kind !== 'sdn') return;
  const settings = {
    names: network.interceptor,
    published: network.published
      .filter((each) => each.name !== 'api')
      .map(({ externalAddress, address, ports }) => ({ externalAddress, address, ...(ports && { ports }) })),
  };
  if ((await engine.networks()).some((each) => each.name === name)) await engine.changeNetwork(name, settings);
  else {
    const { externalAddress, transitAddress } = network.router;
    // Everything at once: for each change the switch computes its flows anew.
    await engine.createNetwork(
      name,
      network.service.network,
      { externalAddress, transitAddress },
      { ...settings, ...balancers(plan, controlPlanes(plan.nodes)) },
    );
  }
}

async function balance(engine: EngineClient, plan: ClusterPlan, nodes: readonly Backend[]): Promise<void> {
  const change = balancers(plan, nodes);
  if (change) await engine.changeNetwork(plan.cluster.name, change);
}

type Backend = Pick<PlannedNode, 'name' | 'address'>;

/** The load balancer of the API, if the network provides it. */
function balancers({ api: { balancing, address, externalAddress, port } }: ClusterPlan, nodes: readonly Backend[]) {
  if (balancing.by !== 'sdn') return undefined;
  const { healthCheckSource } = balancing;
  // The engine names ports after machines.
  const backends = nodes.map((node) => ({ address: node.address, port: node.name }));
  return { loadBalancers: [{ name: 'api', address, externalAddress, port, backends, healthCheckSource }] };
}

async function preflightOn(engine: EngineClient, plan: ClusterPlan): Promise<Preflight> {
  const [host, images, networks, machines] = await Promise.all([
    engine.host(),
    engine.images(),
    engine.networks(),
    engine.machines(),
  ]);
  const state = {
    ...host,
    ownNetworks: host.networks,
    networks,
    machines,
    builtImages: images.filter(({ isBuilt }) => isBuilt).map(({ name }) => name),
  };
  const own = machines.filter(({ network }) => network === plan.cluster.name);
  return {
    problems: preflight(plan, state),
    resources: resourcesOf(plan, state),
    machines: own.map(stateOf),
    processors: host.processors,
    canLimitDisks: host.disk.canLimit,
    hasKvm: host.hasKvm,
  };
}

function stateOf({ memoryMebibytes, diskMebibytes, untilRestart, ...machine }: MachineStatus): MachineState {
  const { name, kind, address, state, image, imageDigest, cpu, isDiskLimited, updates } = machine;
  return {
    name,
    kind,
    // Every node is in the network of its cluster.
    address: address ?? '',
    state,
    image,
    imageDigest,
    cpu,
    memory: `${memoryMebibytes}Mi`,
    ...(untilRestart && {
      untilRestart: { cpu: untilRestart.cpu, memory: `${untilRestart.memoryMebibytes}Mi` },
    }),
    ...(diskMebibytes !== undefined && { disk: `${diskMebibytes}Mi` }),
    isDiskLimited,
    ...(updates && { updates }),
  };
}

function engineSize<Size extends Partial<MachineSize>>({ cpu, memory, disk }: Size) {
  return {
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memoryMebibytes: mebibytesOf(memory) }),
    ...(disk !== undefined && { diskMebibytes: mebibytesOf(disk) }),
  };
}
