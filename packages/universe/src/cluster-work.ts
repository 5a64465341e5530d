import { type ClusterAccess, clusterObjects, type KubernetesApi } from '@nova-platform/cluster';
import type { ConfigManager } from '@nova-platform/config-manager';
import type { EngineClient } from '@nova-platform/engine/client';
import type { ClusterPlan } from '@nova-platform/plan';
import type { RegistryClient } from '@nova-platform/registry/client';
import { HandOver } from './cluster-work/hand-over.ts';
import { Machines } from './cluster-work/machines.ts';
import { Members } from './cluster-work/members.ts';
import { type GoneNode, Nodes } from './cluster-work/nodes.ts';
import { Ways } from './cluster-work/ways.ts';
import type { Clusters } from './clusters.ts';
import { digestsOf } from './core-images.ts';

/** What making, changing and removing a cluster takes; each part finds its own work done. */
export class ClusterWork {
  readonly machines: Machines;
  readonly nodes: Nodes;
  readonly members: Members;
  readonly handOver: HandOver;
  readonly #clusters: Clusters;
  readonly #config: ConfigManager;
  readonly #ways: Ways;
  readonly #registry: Pick<RegistryClient, 'access'>;

  constructor(
    clusters: Clusters,
    config: ConfigManager,
    engine: () => EngineClient,
    registry: Pick<RegistryClient, 'access'>,
  ) {
    this.#registry = registry;
    this.#clusters = clusters;
    this.#config = config;
    this.#ways = new Ways(async (cluster) => (await clusters.declaration(cluster)).plan, config);
    this.machines = new Machines(this.#ways, config, engine, (cluster) => clusters.founders(cluster));
    this.nodes = new Nodes(this.#ways, config, this.machines);
    this.members = new Members(this.#ways, this.machines, this.nodes);
    this.handOver = new HandOver(this.#ways, this.machines);
  }

  plan(cluster: string): Promise<ClusterPlan> {
    return this.#ways.plan(cluster);
  }

  /** A way into a cluster's API for a while. */
  access(cluster: string, name: string, organization: string, until?: number): Promise<ClusterAccess> {
    return this.#ways.access(cluster, name, organization, until);
  }

  /** As Universe itself. */
  withApi<T>(cluster: string, work: (api: KubernetesApi) => Promise<T>): Promise<T> {
    return this.#ways.withApi(cluster, work);
  }

  async approve(cluster: string): Promise<void> {
    const { plan, secrets } = await this.#clusters.declaration(cluster);
    await this.#config.services.catalogs.apply(await this.pinned(plan), secrets);
  }

  /** A plan with its core images by digest; with those that were approved last while the registry is unreachable. */
  async pinned(plan: ClusterPlan): Promise<ClusterPlan> {
    const images = await digestsOf(plan, this.#registry).catch(async () => (await this.#approved(plan))?.images);
    return images ? { ...plan, images } : plan;
  }

  /** Nodes that were there before a plan, and are not in it. */
  async goneWith(plan: ClusterPlan, before: ClusterPlan | undefined): Promise<GoneNode[]> {
    const { name, provider } = plan.cluster;
    const found = new Map<string, GoneNode>();
    // A change that was not brought to its end may have left machines that no plan knows any more. Without an engine
    // the operation itself will fail, and say so.
    const machines = before && provider === 'local' ? await this.machines.of(name).catch(() => []) : [];
    for (const machine of machines) found.set(machine.name, { ...machine, isControlPlane: true });
    for (const node of before?.nodes ?? [])
      found.set(node.name, { ...node, isControlPlane: node.roles.includes('control-plane') });
    return [...found.values()]
      .filter((each) => !plan.nodes.some((node) => node.name === each.name))
      .map(({ name: node, address, isControlPlane }) => ({ name: node, address, isControlPlane }));
  }

  /** Until the API answers: its store is made then, and nobody makes it again. */
  async waitForApi(cluster: string, signal: AbortSignal): Promise<void> {
    await this.nodes.untilApiAnswers(cluster, signal);
    await this.#clusters.founded(cluster);
  }

  async applyObjects(cluster: string): Promise<void> {
    const plan = await this.plan(cluster);
    const images = (await this.#approved(plan))?.images;
    const { registry } = this.#config.services.manager;
    await this.#ways.withApi(cluster, async (api) => {
      for (const object of clusterObjects({ ...plan, images }, registry)) await api.apply(object);
    });
  }

  async forget(cluster: string): Promise<void> {
    await this.#config.services.catalogs.forget(cluster);
    await this.#clusters.remove(cluster);
  }

  async #approved({ cluster }: ClusterPlan): Promise<ClusterPlan | undefined> {
    return (await this.#config.services.catalogs.plans()).find((plan) => plan.cluster.name === cluster.name);
  }
}
