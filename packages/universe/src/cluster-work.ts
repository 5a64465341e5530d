import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { enrolmentConfig } from '@nova-platform/catalog';
import { type ClusterAccess, clusterObjects, KubernetesApi, nodeObject, readiness } from '@nova-platform/cluster';
import type { ConfigManager } from '@nova-platform/config-manager';
import type { EngineClient } from '@nova-platform/engine/client';
import { createKeyPair, issueCertificate } from '@nova-platform/pki';
import type { ClusterPlan, PlannedNode } from '@nova-platform/plan';
import { stringify } from 'yaml';
import type { Clusters } from './clusters.ts';

type Log = (line: string) => void;

const tokenSeconds = 3600;
const accessHours = 1;
const pause = 200;
const configureTimeout = 5 * 60_000;
const readyTimeout = 5 * 60_000;

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

  /** The network of the nodes, its names, its balanced API and what is published of it. */
  async makeNetwork(cluster: string): Promise<void> {
    const { network, api } = await this.plan(cluster);
    if (network.kind !== 'sdn') return;
    const { externalAddress, transitAddress } = network.router;
    const engine = this.#engine();
    const isThere = (await engine.networks()).some(({ name }) => name === cluster);
    if (!isThere) await engine.createNetwork(cluster, network.service.network, { externalAddress, transitAddress });
    const { balancing, port } = api;
    await engine.changeNetwork(cluster, {
      names: network.interceptor,
      published: network.published
        .filter(({ name }) => name !== 'api')
        .map((each) => ({ externalAddress: each.externalAddress, address: each.address })),
      ...(balancing.by === 'sdn' && {
        loadBalancers: [
          {
            name: 'api',
            address: api.address,
            externalAddress: api.externalAddress,
            port,
            backends: await this.#backends(cluster, balancing.backends),
            healthCheckSource: balancing.healthCheckSource,
          },
        ],
      }),
    });
  }

  /** A machine that boots and asks for its catalog by itself. */
  async makeMachine(cluster: string, name: string): Promise<void> {
    const plan = await this.plan(cluster);
    const node = demandNode(plan, name);
    const engine = this.#engine();
    if ((await engine.machines()).some((machine) => machine.name === name)) return;
    const { enrolment, manager } = this.#config.services;
    const { token } = await enrolment.createToken(name, tokenSeconds);
    const resolver = plan.network.kind === 'sdn' ? plan.network.integration.universe.address : undefined;
    await engine.createMachine({
      name,
      image: 'kubernetes-node',
      network: cluster,
      address: node.address,
      cpu: node.cpu,
      memoryMebibytes: mebibytes(node.memory),
      allowedNetworks: [node.podNetwork],
      cloudConfig: `#cloud-config\n${stringify(enrolmentConfig({ node: name, token, manager, resolver }))}`,
    });
  }

  /** Until the node is what was approved; one that knows us already is told to run now. */
  async configure(
    name: string,
    run: (node: string) => Promise<{ status: string } | undefined>,
    log: Log,
    signal: AbortSignal,
  ): Promise<void> {
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
  }

  async applyObjects(cluster: string): Promise<void> {
    const plan = await this.plan(cluster);
    await this.#withApi(cluster, async (api) => {
      for (const object of clusterObjects(plan, this.#config.services.manager.registry)) await api.apply(object);
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

  /** A node that is no longer declared: out of the cluster, then its machine, then its identity. */
  async removeNode(cluster: string, name: string): Promise<void> {
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
    const { api } = await this.plan(cluster);
    const issuer = await this.#config.services.authorities.issuerOf(cluster, 'kubernetes');
    const { privateKey, publicKey } = await createKeyPair();
    const { certificate } = await issueCertificate(issuer, {
      subject: { commonName: name, organizations: [organization] },
      publicKey,
      dnsNames: [],
      addresses: [],
      usages: ['client auth'],
      lifetimeHours: accessHours,
    });
    return { host: api.address, port: api.port, ca: issuer.certificate, cert: certificate, key: privateKey };
  }

  async #withApi<T>(cluster: string, work: (api: KubernetesApi) => Promise<T>): Promise<T> {
    const api = new KubernetesApi(await this.access(cluster, 'nova-universe', 'system:masters'));
    try {
      return await work(api);
    } finally {
      api.close();
    }
  }

  /** Ports of the engine are named after machines. */
  async #backends(cluster: string, addresses: readonly string[]) {
    const { nodes } = await this.plan(cluster);
    return addresses.map((address) => ({ address, port: nodes.find((node) => node.address === address)?.name ?? '' }));
  }
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
