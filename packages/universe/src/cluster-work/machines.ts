import { mebibytesOf, ProblemError } from '@nova-platform/api';
import { enrolmentConfig, initialMembersFile } from '@nova-platform/catalog';
import type { ConfigManager } from '@nova-platform/config-manager';
import type { EngineClient } from '@nova-platform/engine/client';
import type { EtcdNode } from '@nova-platform/kubernetes';
import { type ClusterPlan, controlPlanes } from '@nova-platform/plan';
import { stringify } from 'yaml';
import { demandNode, type GoneNode } from './nodes.ts';
import type { Ways } from './ways.ts';

const tokenSeconds = 3600;

export interface Resized {
  name: string;
  /** What changes of it. */
  size: { cpu?: number; memory?: string; disk?: string };
}

/** A cluster's network and machines on the local engine. */
export class Machines {
  readonly #ways: Ways;
  readonly #config: ConfigManager;
  readonly #engine: () => EngineClient;
  /** Control planes that make the cluster's store together; none once it is made. */
  readonly #founders: (cluster: string) => Promise<string[]>;

  constructor(
    ways: Ways,
    config: ConfigManager,
    engine: () => EngineClient,
    founders: (cluster: string) => Promise<string[]>,
  ) {
    this.#ways = ways;
    this.#config = config;
    this.#engine = engine;
    this.#founders = founders;
  }

  /** Those in a cluster's network, declared or not. */
  async of(cluster: string) {
    return (await this.#engine().machines()).filter(({ network }) => network === cluster);
  }

  /** The network of the nodes, its names, its balanced API and what is published of it. */
  async makeNetwork(plan: ClusterPlan, gone: readonly GoneNode[]): Promise<void> {
    const {
      network,
      cluster: { name: cluster },
    } = plan;
    if (network.kind !== 'sdn') return;
    const { externalAddress, transitAddress } = network.router;
    const engine = this.#engine();
    const isThere = (await engine.networks()).some(({ name }) => name === cluster);
    if (!isThere) await engine.createNetwork(cluster, network.service.network, { externalAddress, transitAddress });
    await engine.changeNetwork(cluster, {
      names: network.interceptor,
      published: network.published
        .filter(({ name }) => name !== 'api')
        .map(({ externalAddress, address, ports }) => ({ externalAddress, address, ...(ports && { ports }) })),
    });
    await this.balance(plan, gone);
  }

  /** The balanced address leads to all control planes that serve, but one; to all there will be when none does. */
  async balance(plan: ClusterPlan, gone: readonly GoneNode[], but?: string): Promise<void> {
    const {
      api,
      nodes,
      cluster: { name: cluster },
    } = plan;
    const { balancing, address, externalAddress, port } = api;
    if (balancing.by !== 'sdn') return;
    const planned = controlPlanes(nodes);
    const running = new Set((await this.of(cluster)).flatMap(({ name, state }) => (state === 'running' ? name : [])));
    const others = [...planned, ...gone.filter(({ isControlPlane }) => isControlPlane)].filter(
      ({ name }) => name !== but && running.has(name),
    );
    const isServing = await Promise.all(others.map((node: EtcdNode) => this.#ways.isServing(plan, node)));
    const serving = others.filter((_, index) => isServing[index]);
    // Ports of the engine are named after machines.
    const backends = (serving.length > 0 ? serving : planned).map((node) => ({
      address: node.address,
      port: node.name,
    }));
    const { healthCheckSource } = balancing;
    await this.#engine().changeNetwork(cluster, {
      loadBalancers: [{ name: 'api', address, externalAddress, port, backends, healthCheckSource }],
    });
  }

  /** A machine that boots and asks for its catalog by itself; one that is there is started if it does not run. */
  async make(plan: ClusterPlan, name: string): Promise<void> {
    const cluster = plan.cluster.name;
    const node = demandNode(plan, name);
    const engine = this.#engine();
    const machine = (await engine.machines()).find((each) => each.name === name);
    const { catalogs, enrolment, manager } = this.#config.services;
    // What was to go when something broke off goes first, and so does one that can never become what it should.
    if (machine && (machine.state === 'deleting' || (await enrolment.isTooLate(name))))
      await engine.deleteMachine(name);
    else if (machine) return void (await engine.startMachine(name));
    // What another that had this name became, this one still has to become.
    if ((await enrolment.certificateOf(name)) !== undefined) await catalogs.forgetNode(name);
    const { token } = await enrolment.createToken(name, tokenSeconds);
    const resolver = plan.network.kind === 'sdn' ? plan.network.integration.universe.address : undefined;
    const config = enrolmentConfig({ node: name, token, manager, resolver });
    const founders = await this.#founders(cluster);
    if (founders.includes(name)) config.write_files.push(initialMembersFile(founders.map((each) => demandNode(plan, each))));
    const spec = {
      name,
      image: 'kubernetes-node',
      network: cluster,
      address: node.address,
      ...sizeOf(node),
      allowedNetworks: [node.podNetwork],
      cloudConfig: `#cloud-config\n${stringify(config)}`,
    };
    await engine.createMachine(spec).catch(async (error: unknown) => {
      // An earlier try of ours that nobody waited for came through meanwhile.
      const isThere = error instanceof ProblemError && error.problems[0]?.code === 'NOVA7021';
      if (!isThere) throw error;
      await engine.startMachine(name);
    });
  }

  /** Another size: while it runs where the engine can, else from its next start. */
  async resize({ name, size }: Resized): Promise<void> {
    await this.#engine().resizeMachine(name, sizeOf(size));
  }

  async start(name: string): Promise<void> {
    await this.#engine().startMachine(name);
  }

  async stop(name: string): Promise<void> {
    await this.#engine().stopMachine(name);
  }

  async remove(name: string): Promise<void> {
    const engine = this.#engine();
    if ((await engine.machines()).some((machine) => machine.name === name)) await engine.deleteMachine(name);
  }

  /** With machines that no declaration knows any more: a change that was not brought to its end left them. */
  async removeNetwork(cluster: string): Promise<void> {
    for (const { name } of await this.of(cluster)) await this.remove(name);
    const engine = this.#engine();
    if ((await engine.networks()).some(({ name }) => name === cluster)) await engine.deleteNetwork(cluster);
  }
}

/** As the engine counts. */
function sizeOf({ cpu, memory, disk }: Resized['size']) {
  return {
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memoryMebibytes: mebibytesOf(memory) }),
    ...(disk !== undefined && { diskMebibytes: mebibytesOf(disk) }),
  };
}
