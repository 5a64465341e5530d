import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { enrolmentConfig, foundersFile } from '@nova-platform/catalog';
import {
  type ClusterAccess,
  clusterDeclaration,
  clusterObjects,
  cordon,
  drain,
  Etcd,
  heartbeats,
  joinMembers,
  KubernetesApi,
  type LockHolder,
  machineStates,
  machinesLock,
  missedBy,
  nodeObject,
  readiness,
  type StoreNode,
  unhealthyFirst,
} from '@nova-platform/cluster';
import type { ConfigManager } from '@nova-platform/config-manager';
import type { EngineClient } from '@nova-platform/engine/client';
import { createKeyPair, issueCertificate } from '@nova-platform/pki';
import { type ClusterPlan, controlPlanes, type PlannedNode } from '@nova-platform/plan';
import { stringify } from 'yaml';
import type { Clusters } from './clusters.ts';

type Log = (line: string) => void;
type RunAgent = (node: string) => Promise<{ status: string } | undefined>;

/** A node that is no longer declared. */
export interface GoneNode extends StoreNode {
  isControlPlane: boolean;
}

const tokenSeconds = 3600;
const accessHours = 1;
const pause = 200;
const configureTimeout = 5 * 60_000;
const readyTimeout = 5 * 60_000;
const drainTimeout = 2 * 60_000;

/** What making, changing and removing a cluster on the local engine takes; each part finds its own work done. */
export class ClusterWork {
  readonly #clusters: Clusters;
  readonly #config: ConfigManager;
  readonly #engine: () => EngineClient;

  constructor(clusters: Clusters, config: ConfigManager, engine: () => EngineClient) {
    this.#clusters = clusters;
    this.#config = config;
    this.#engine = engine;
  }

  async plan(cluster: string): Promise<ClusterPlan> {
    return (await this.#clusters.declaration(cluster)).plan;
  }

  async approve(cluster: string): Promise<void> {
    const { plan, secrets } = await this.#clusters.declaration(cluster);
    await this.#config.services.catalogs.apply(plan, secrets);
  }

  /** Nodes that were there before a plan, and are not in it. */
  async goneWith(plan: ClusterPlan, before: ClusterPlan | undefined): Promise<GoneNode[]> {
    const { name, provider } = plan.cluster;
    const found = new Map<string, GoneNode>();
    // A change that was not brought to its end may have left machines that no plan knows any more. Without an engine
    // the operation itself will fail, and say so.
    const machines = before && provider === 'local' ? await this.#machines(name).catch(() => []) : [];
    for (const machine of machines) found.set(machine.name, { ...machine, isControlPlane: true });
    for (const node of before?.nodes ?? [])
      found.set(node.name, { ...node, isControlPlane: node.roles.includes('control-plane') });
    return [...found.values()]
      .filter((each) => !plan.nodes.some((node) => node.name === each.name))
      .map(({ name: node, address, isControlPlane }) => ({ name: node, address, isControlPlane }));
  }

  /** The network of the nodes, its names, its balanced API and what is published of it. */
  async makeNetwork(cluster: string, gone: readonly GoneNode[]): Promise<void> {
    const { network } = await this.plan(cluster);
    if (network.kind !== 'sdn') return;
    const { externalAddress, transitAddress } = network.router;
    const engine = this.#engine();
    const isThere = (await engine.networks()).some(({ name }) => name === cluster);
    if (!isThere) await engine.createNetwork(cluster, network.service.network, { externalAddress, transitAddress });
    await engine.changeNetwork(cluster, {
      names: network.interceptor,
      published: network.published
        .filter(({ name }) => name !== 'api')
        .map((each) => ({ externalAddress: each.externalAddress, address: each.address })),
    });
    await this.#balance(cluster, gone);
  }

  /** A machine that boots and asks for its catalog by itself; one that is there is started if it does not run. */
  async makeMachine(cluster: string, name: string): Promise<void> {
    const plan = await this.plan(cluster);
    const node = demandNode(plan, name);
    const engine = this.#engine();
    const machine = (await engine.machines()).find((each) => each.name === name);
    if (machine) {
      if (machine.state !== 'running') await engine.restartMachine(name);
      return;
    }
    const { enrolment, manager } = this.#config.services;
    const { token } = await enrolment.createToken(name, tokenSeconds);
    const resolver = plan.network.kind === 'sdn' ? plan.network.integration.universe.address : undefined;
    const config = enrolmentConfig({ node: name, token, manager, resolver });
    const founders = await this.#clusters.founders(cluster);
    if (founders.includes(name)) config.write_files.push(foundersFile(founders.map((each) => demandNode(plan, each))));
    await engine.createMachine({
      name,
      image: 'kubernetes-node',
      network: cluster,
      address: node.address,
      cpu: node.cpu,
      memoryMebibytes: mebibytes(node.memory),
      allowedNetworks: [node.podNetwork],
      cloudConfig: `#cloud-config\n${stringify(config)}`,
    });
  }

  async stopMachine(name: string): Promise<void> {
    await this.#engine().stopMachine(name);
  }

  /** Refuses a change after which etcd could not decide any more. */
  async demandQuorum({ cluster: { name }, nodes }: ClusterPlan, gone: readonly GoneNode[]): Promise<void> {
    const leaving = gone.filter(({ isControlPlane }) => isControlPlane);
    if (leaving.length === 0) return;
    const stay = controlPlanes(nodes);
    const members = await this.#withEtcd(name, [...stay, ...leaving], (etcd) => etcd.members()).catch(
      (error: Error) => {
        throw new ProblemError(problem('NOVA8347', { cluster: name, reason: error.message }));
      },
    );
    // New ones have joined, and are well, before others leave.
    const joining = stay
      .filter(({ address }) => !members.some((member) => member.address === address))
      .map(({ address }) => ({ address, isLearner: false, isHealthy: true }));
    demandMajority(name, [...members, ...joining], leaving, [...stay, ...leaving]);
  }

  /** Until every control plane is a member of the store with a vote, and well; they join one after the other. */
  async joinMembers(cluster: string, log: Log, signal: AbortSignal): Promise<void> {
    const nodes = controlPlanes((await this.plan(cluster)).nodes);
    const late = await this.#withEtcd(cluster, nodes, (etcd) =>
      joinMembers(etcd, nodes, { log, signal, timeout: readyTimeout }),
    );
    if (late) throw new ProblemError(problem('NOVA8348', { node: late.name, reason: late.reason }));
  }

  /** One control plane anew while the others serve: it is balanced out, configured, and in again once all of it is well. */
  async renewControlPlane(
    cluster: string,
    name: string,
    gone: readonly GoneNode[],
    run: RunAgent,
    log: Log,
    signal: AbortSignal,
  ): Promise<void> {
    const node = demandNode(await this.plan(cluster), name);
    if (!(await this.#config.services.nodes.progress(name)).isCurrent) await this.#balance(cluster, gone, name);
    await this.configure(name, run, log, signal);
    await this.#untilServing(cluster, node, signal);
    await this.joinMembers(cluster, log, signal);
    await this.#balance(cluster, gone);
  }

  /** Until every control plane serves, also through the balanced address. */
  async waitForControlPlanes(cluster: string, signal: AbortSignal): Promise<void> {
    for (const node of controlPlanes((await this.plan(cluster)).nodes)) await this.#untilServing(cluster, node, signal);
    await this.#balance(cluster, []);
    await this.waitForApi(cluster, signal);
  }

  /** Until the node is what was approved; one that knows us already is told to run now. */
  async configure(name: string, run: RunAgent, log: Log, signal: AbortSignal): Promise<void> {
    const { nodes, orders } = this.#config.services;
    const deadline = Date.now() + configureTimeout;
    let isTold = false;
    while (Date.now() < deadline) {
      signal.throwIfAborted();
      const { isCurrent, status } = await nodes.progress(name);
      if (isCurrent) {
        log(`it is what was approved (${status})`);
        return;
      }
      if (orders.isAsking(name)) {
        if (isTold && status === 'failed') throw new ProblemError(problem('NOVA8341', { nodes: name }));
        isTold = true;
        await run(name);
      } else await sleep(pause, undefined, { signal });
    }
    throw new ProblemError(problem('NOVA8342', { node: name }));
  }

  /** Until the API answers through its balanced address. */
  async waitForApi(cluster: string, signal: AbortSignal): Promise<void> {
    await this.#withApi(cluster, async (api) => {
      const deadline = Date.now() + readyTimeout;
      while (!(await api.isReady())) {
        if (Date.now() > deadline) throw new ProblemError(problem('NOVA8343', { cluster }));
        await sleep(pause, undefined, { signal });
      }
    });
    await this.#clusters.founded(cluster);
  }

  async applyObjects(cluster: string): Promise<void> {
    const plan = await this.plan(cluster);
    await this.#withApi(cluster, async (api) => {
      for (const object of clusterObjects(plan, this.#config.services.manager.registry)) await api.apply(object);
    });
  }

  /** Until every node was heard of again: what is known of them may be from before they were stopped. */
  async hearNodes(cluster: string, signal: AbortSignal): Promise<void> {
    const { nodes } = await this.plan(cluster);
    await this.#withApi(cluster, async (api) => {
      const deadline = Date.now() + readyTimeout;
      const before = await heartbeats(api);
      for (;;) {
        const now = await heartbeats(api);
        const silent = nodes.find(({ name }) => now.get(name) === before.get(name));
        if (!silent) return;
        if (Date.now() > deadline)
          throw new ProblemError(problem('NOVA8344', { node: silent.name, reason: 'it says nothing' }));
        await sleep(pause, undefined, { signal });
      }
    });
  }

  /** Until every node has its roles and is ready. */
  async waitForNodes(cluster: string, log: Log, signal: AbortSignal): Promise<void> {
    const { nodes } = await this.plan(cluster);
    await this.#withApi(cluster, async (api) => {
      const deadline = Date.now() + readyTimeout;
      const labelled = new Set<string>();
      for (;;) {
        const found = await readiness(api);
        for (const node of nodes) {
          if (!found.has(node.name) || labelled.has(node.name)) continue;
          await api.apply(nodeObject(node));
          labelled.add(node.name);
          log(`${node.name} has joined`);
        }
        const waiting = nodes.filter(({ name }) => !found.has(name) || found.get(name) !== undefined);
        if (waiting.length === 0) return;
        if (Date.now() > deadline) {
          const [first] = waiting;
          const reason = found.get(first?.name ?? '') ?? 'it has not joined';
          throw new ProblemError(problem('NOVA8344', { node: first?.name ?? '', reason }));
        }
        await sleep(pause, undefined, { signal });
      }
    });
  }

  /** Tells everybody who has to do with the cluster that its machines change now; best effort, for its API may be away. */
  async lockMachines(cluster: string, holder: LockHolder, log: Log): Promise<void> {
    await this.#withApi(cluster, (api) => api.apply(machinesLock(holder))).catch((error: Error) =>
      log(`the cluster does not know of this lock: ${error.message}`),
    );
  }

  async unlockMachines(cluster: string, holder: LockHolder, log: Log): Promise<void> {
    await this.#withApi(cluster, (api) => api.remove(machinesLock(holder))).catch((error: Error) =>
      log(`the cluster still has the lock: ${error.message}`),
    );
  }

  /** What the cluster itself knows of what it was made from and runs on. */
  async handOver(cluster: string, holder: LockHolder, log: Log): Promise<void> {
    const plan = await this.plan(cluster);
    const machines = plan.cluster.provider === 'local' ? await this.#machines(cluster) : [];
    await this.#withApi(cluster, async (api) => {
      await api.apply(clusterDeclaration(plan));
      await api.apply(machineStates(machines));
    });
    await this.unlockMachines(cluster, holder, log);
  }

  /** Nothing new comes to any node that goes, and what runs on this one moves to those that stay. */
  async drainNode(
    cluster: string,
    name: string,
    gone: readonly GoneNode[],
    log: Log,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#withApi(cluster, async (api) => {
      for (const each of gone) await cordon(api, each.name, true);
      const left = await drain(api, name, { signal, timeout: drainTimeout });
      if (left.length > 0) log(`goes on, with these still there: ${left.join(', ')}`);
    });
  }

  /** Pods may come to the node again. */
  async letIn(cluster: string, name: string): Promise<void> {
    await this.#withApi(cluster, (api) => cordon(api, name, false));
  }

  /** Control planes serve no more and are no members any more, one after the other; then they may go. */
  async leaveMembers(cluster: string, gone: readonly GoneNode[], log: Log): Promise<void> {
    const leaving = gone.filter(({ isControlPlane }) => isControlPlane);
    if (leaving.length === 0) return;
    const stay = controlPlanes((await this.plan(cluster)).nodes);
    let serving = leaving;
    await this.#withEtcd(cluster, [...stay, ...leaving], async (etcd) => {
      for (const { id, address } of (await etcd.members()).toSorted(unhealthyFirst)) {
        const node = leaving.find((each) => each.address === address);
        if (!node) continue;
        serving = serving.filter((each) => each !== node);
        await this.#balance(cluster, serving);
        // Counted anew each time: another may have failed meanwhile.
        demandMajority(cluster, await etcd.members(), [node], [...stay, ...leaving]);
        await etcd.remove(id);
        log(`${node.name} is no member of the store any more`);
      }
    });
    await this.#balance(cluster, []);
  }

  /** A node that is no longer declared: out of the cluster, then its machine, then its identity. */
  async removeNode(cluster: string, name: string): Promise<void> {
    // An API server that ends by itself says so to the others; who is cut off is looked for a while longer.
    if ((await this.#machines(cluster)).some((machine) => machine.name === name)) await this.stopMachine(name);
    await this.#withApi(cluster, (api) => api.remove({ apiVersion: 'v1', kind: 'Node', metadata: { name } }));
    await this.removeMachine(name);
    const { enrolment } = this.#config.services;
    if ((await enrolment.certificateOf(name)) !== undefined) await enrolment.revoke(name);
  }

  async removeMachine(name: string): Promise<void> {
    const engine = this.#engine();
    if ((await engine.machines()).some((machine) => machine.name === name)) await engine.deleteMachine(name);
  }

  async removeNetwork(cluster: string): Promise<void> {
    const engine = this.#engine();
    if ((await engine.networks()).some(({ name }) => name === cluster)) await engine.deleteNetwork(cluster);
  }

  async forget(cluster: string): Promise<void> {
    await this.#config.services.catalogs.forget(cluster);
    await this.#clusters.remove(cluster);
  }

  /** A way into a cluster's API for a while. */
  async access(cluster: string, name: string, organization: string): Promise<ClusterAccess> {
    return this.#access(cluster, 'kubernetes', { commonName: name, organizations: [organization] });
  }

  async #access(
    cluster: string,
    authority: 'kubernetes' | 'etcd',
    subject: { commonName: string; organizations: string[] },
  ): Promise<ClusterAccess> {
    const { api } = await this.plan(cluster);
    const issuer = await this.#config.services.authorities.issuerOf(cluster, authority);
    const { privateKey, publicKey } = await createKeyPair();
    const { certificate } = await issueCertificate(issuer, {
      subject,
      publicKey,
      dnsNames: [],
      addresses: [],
      usages: ['client auth'],
      lifetimeHours: accessHours,
    });
    return { host: api.address, port: api.port, ca: issuer.certificate, cert: certificate, key: privateKey };
  }

  async #withApi<T>(cluster: string, work: (api: KubernetesApi) => Promise<T>, host?: string): Promise<T> {
    const access = await this.access(cluster, 'nova-universe', 'system:masters');
    const api = new KubernetesApi({ ...access, ...(host !== undefined && { host }) });
    try {
      return await work(api);
    } finally {
      api.close();
    }
  }

  async #withEtcd<T>(cluster: string, nodes: readonly StoreNode[], work: (etcd: Etcd) => Promise<T>): Promise<T> {
    const access = await this.#access(cluster, 'etcd', { commonName: 'nova-universe', organizations: [] });
    const etcd = new Etcd(
      nodes.map(({ address }) => address),
      access,
    );
    try {
      return await work(etcd);
    } finally {
      etcd.close();
    }
  }

  /** The balanced address leads to all control planes that serve, but one; to all there will be when none does. */
  async #balance(cluster: string, gone: readonly GoneNode[], but?: string): Promise<void> {
    const { api, nodes } = await this.plan(cluster);
    const { balancing, address, externalAddress, port } = api;
    if (balancing.by !== 'sdn') return;
    const planned = controlPlanes(nodes);
    const running = new Set(
      (await this.#machines(cluster)).filter(({ state }) => state === 'running').map(({ name }) => name),
    );
    const others = [...planned, ...gone.filter(({ isControlPlane }) => isControlPlane)].filter(
      ({ name }) => name !== but && running.has(name),
    );
    const isServing = await Promise.all(others.map((node) => this.#isServing(cluster, node)));
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

  async #untilServing(cluster: string, node: StoreNode, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + readyTimeout;
    while (!(await this.#isServing(cluster, node))) {
      if (Date.now() > deadline) throw new ProblemError(problem('NOVA8349', { node: node.name }));
      await sleep(pause, undefined, { signal });
    }
  }

  /** Whether a control plane's own API server says that it is ready. */
  async #isServing(cluster: string, { address }: StoreNode): Promise<boolean> {
    return this.#withApi(cluster, (api) => api.isReady(), address);
  }

  async #machines(cluster: string) {
    return (await this.#engine().machines()).filter(({ network }) => network === cluster);
  }
}

/** Refuses to let members leave after which those that stay could not decide any more. */
function demandMajority(
  cluster: string,
  members: Parameters<typeof missedBy>[0],
  leaving: readonly StoreNode[],
  known: readonly StoreNode[],
): void {
  const missed = missedBy(
    members,
    leaving.map(({ address }) => address),
  );
  if (!missed) return;
  const nameOf = (address: string) => known.find((each) => each.address === address)?.name ?? address;
  throw new ProblemError(
    problem('NOVA8346', {
      cluster,
      leaving: leaving.map(({ name }) => name).join(', '),
      unhealthy: missed.map(nameOf).join(', '),
    }),
  );
}

function demandNode({ nodes }: ClusterPlan, name: string): PlannedNode {
  const node = nodes.find((each) => each.name === name);
  if (!node) throw new ProblemError(problem('NOVA8010', { node: name }));
  return node;
}

function mebibytes(quantity: string): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(amount) * (unit === 'Gi' ? 1024 : 1);
}
