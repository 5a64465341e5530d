import type { ClusterSecrets } from '@nova-platform/catalog';
import type { ObservedMachine } from '@nova-platform/change';
import type { ConfigManager } from '@nova-platform/config-manager';
import type { RegistryClient } from '@nova-platform/contracts/registry/client';
import type { EngineClient, MachineStatus } from '@nova-platform/engine/client';
import {
  type ClusterAccess,
  clusterObjects,
  type KubernetesApi,
  type KubernetesObject,
} from '@nova-platform/kubernetes';
import type { ClusterPlan } from '@nova-platform/plan';
import { HandOver } from './cluster-work/hand-over.ts';
import { Machines } from './cluster-work/machines.ts';
import { Members } from './cluster-work/members.ts';
import { Nodes } from './cluster-work/nodes.ts';
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
    this.#ways = new Ways(config);
    this.machines = new Machines(this.#ways, config, engine, (cluster) => clusters.founders(cluster));
    this.nodes = new Nodes(this.#ways, config, this.machines);
    this.members = new Members(this.#ways, this.machines, this.nodes);
    this.handOver = new HandOver(this.#ways, this.machines);
  }

  /** As it was declared last. */
  plan(cluster: string): Promise<ClusterPlan> {
    return this.#clusters.plan(cluster);
  }

  /** A way into a cluster's API for a while. */
  access(plan: ClusterPlan, name: string, organization: string, until?: number): Promise<ClusterAccess> {
    return this.#ways.access(plan, name, organization, until);
  }

  /** As Universe itself. */
  withApi<T>(plan: ClusterPlan, work: (api: KubernetesApi) => Promise<T>): Promise<T> {
    return this.#ways.withApi(plan, work);
  }

  /** From now on nodes get what the plan says. */
  async approve(plan: ClusterPlan, sealedSecrets: string): Promise<void> {
    const { catalogs, sealer } = this.#config.services;
    const secrets = JSON.parse(sealer.open(sealedSecrets, secretsContext(plan))) as ClusterSecrets;
    await catalogs.apply(plan, secrets);
  }

  /** Secrets of documents as an operation keeps them. */
  sealed(plan: ClusterPlan, secrets: ClusterSecrets): string {
    return this.#config.services.sealer.seal(JSON.stringify(secrets), secretsContext(plan));
  }

  /** A plan with its core images by digest; with those that were approved last while the registry is unreachable. */
  async pinned(plan: ClusterPlan, current: ClusterPlan | undefined): Promise<ClusterPlan> {
    const images = await digestsOf(plan, this.#registry).catch(() => current?.images);
    return images ? { ...plan, images } : plan;
  }

  /** Those of a cluster among all machines there are. */
  async observed(cluster: string, machines: readonly MachineStatus[]): Promise<ObservedMachine[]> {
    const { enrolment } = this.#config.services;
    const own = machines.filter(({ network }) => network === cluster);
    return Promise.all(
      own.map(async ({ name, address, state, cpu, memoryMebibytes, diskMebibytes, isDiskLimited }) => ({
        name,
        address,
        state,
        cpu,
        memory: `${memoryMebibytes}Mi`,
        ...(diskMebibytes !== undefined && { disk: `${diskMebibytes}Mi` }),
        isDiskLimited,
        isLost: await enrolment.isTooLate(name),
      })),
    );
  }

  /** Objects of ours that a plan has in its cluster. */
  objects(plan: ClusterPlan): KubernetesObject[] {
    return clusterObjects(plan, this.#config.services.manager.registry);
  }

  /** Until the API answers: its store is made then, and nobody makes it again. */
  async waitForApi(plan: ClusterPlan, signal: AbortSignal): Promise<void> {
    await this.nodes.untilApiAnswers(plan, signal);
    await this.#clusters.founded(plan.cluster.name);
  }

  async applyObjects(plan: ClusterPlan): Promise<void> {
    await this.#ways.withApi(plan, async (api) => {
      for (const object of this.objects(plan)) await api.apply(object);
    });
  }

  async forget(cluster: string): Promise<void> {
    await this.#config.services.catalogs.forget(cluster);
    await this.#clusters.remove(cluster);
  }
}

const secretsContext = ({ cluster }: ClusterPlan): string => `operation/${cluster.name}`;
