import { ProblemError, problem } from '@nova-platform/api';
import type { ClusterSecrets } from '@nova-platform/catalog';
import { type Change, changeOf, differenceOf, digestOf, linesOf, type ObservedMachine } from '@nova-platform/change';
import { type ChangeLine, isEmpty } from '@nova-platform/change/view';
import type { RegistryClient } from '@nova-platform/contracts/registry/client';
import type { MachineState, Resources } from '@nova-platform/infra';
import { clusterObjects } from '@nova-platform/kubernetes';
import type { Operations, OperationView } from '@nova-platform/operations';
import { type ClusterPlan, controlPlanes } from '@nova-platform/plan';
import { digestsOf } from './core-images.ts';
import { secretFields } from './documents.ts';
import type { ClusterTools } from './operation.ts';
import type { ClusterOperations } from './operations.ts';
import { assertPossible } from './preflight.ts';
import { assertQuorum, mayHaveEtcd } from './quorum.ts';
import type { ClusterSchema } from './schema.ts';
import { sealedSecrets } from './steps/approve.ts';
import { changeTitle } from './titles.ts';

/** The change that documents make. The digest identifies it. */
export interface Preview {
  plan: ClusterPlan;
  change: Change;
  digest: string;
  /** Missing while the provider is unreachable. Not part of the digest: they change all the time. */
  resources?: Resources;
}

export interface Declaring {
  /** Of the approved preview. */
  digest: string | undefined;
  /** The revision that the request is based on (If-Match); by default the newest. */
  seen: number | undefined;
  by: string;
}

interface Tools extends Pick<ClusterTools, 'clusters' | 'config' | 'connections' | 'delivery' | 'infra'> {
  registry: Pick<RegistryClient, 'access'>;
  operations: Operations<ClusterSchema>;
  kinds: Pick<ClusterOperations, 'createCluster' | 'changeCluster'>;
}

/** Previews whose lines are kept, to show what has changed since. */
const maxShown = 50;

/** From documents to the change that they make, and to the operation that applies it. */
export class ClusterChanges {
  readonly #tools: Tools;
  /** The lines of the last previews, by digest. */
  readonly #shown = new Map<string, ChangeLine[]>();
  #declared: Promise<unknown> = Promise.resolve();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  async preview(cluster: string, documents: string): Promise<Preview> {
    const { plan, change, digest, resources } = await this.#compute(cluster, documents);
    this.#shown.delete(digest);
    this.#shown.set(digest, linesOf(change));
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > maxShown && oldest !== undefined) this.#shown.delete(oldest);
    return { plan, change, digest, ...(resources && { resources }) };
  }

  /**
   * Stores a declaration and starts the operation that applies it; none if nothing changes. Declarations are handled one
   * after the other: two new clusters must not get the same addresses.
   */
  async declare(cluster: string, documents: string, declaring: Declaring): Promise<OperationView | undefined> {
    const declared = this.#declared.then(() => this.#declare(cluster, documents, declaring));
    this.#declared = declared.catch(() => undefined);
    return declared;
  }

  async #declare(
    cluster: string,
    documents: string,
    { digest, seen: expected, by }: Declaring,
  ): Promise<OperationView | undefined> {
    const { clusters, config, operations, kinds } = this.#tools;
    const { sealer } = config.services;
    const seen = expected ?? (await clusters.revisionOf(cluster));
    const computed = await this.#compute(cluster, documents);
    const { plan, change, current, secrets } = computed;
    if (digest !== undefined && digest !== computed.digest)
      throw new ProblemError(problem('NOVA8017', { difference: differenceOf(this.#shown.get(digest), change) }));
    if (isEmpty(change)) {
      clusters.assertRevision(cluster, seen, await clusters.revisionOf(cluster));
      return undefined;
    }
    const kind = change.isNew ? kinds.createCluster : kinds.changeCluster;
    const title = changeTitle(change, plan, current);
    const input = { plan, change, sealedSecrets: sealedSecrets(sealer, plan, secrets), title };
    return operations.start(kind, input, by, (writing) => clusters.declare(writing, { plan, documents, by, seen }));
  }

  async #compute(
    cluster: string,
    documents: string,
  ): Promise<Preview & { current: ClusterPlan | undefined; secrets: ClusterSecrets }> {
    const { clusters, delivery, config, connections, infra, registry } = this.#tools;
    const { catalogs, manager } = config.services;
    const { plan: read, secrets } = await clusters.read(cluster, documents);
    await clusters.assertNodeLimit(read);
    const { plan: declared, release } = await delivery.deliverable(read);
    const { machines, resources, ...host } = await assertPossible(declared, release, infra.of(declared), registry);
    const current = await catalogs.planBefore(declared);
    const plan = await this.#pinned(declared, current);
    const members = await clusters.initialMembers(cluster);
    const planes = controlPlanes(plan.nodes).map(({ name }) => name);
    const isOther = members.length > 0 && members.toSorted().join() !== planes.toSorted().join();
    // A cluster is new until its initial control planes have created etcd.
    const isNew =
      !current ||
      (members.length > 0 && !(isOther && (await mayHaveEtcd({ plan: current, connections }, members, machines))));
    // Control planes that were created with other initial members cannot form etcd with those of this plan.
    const isRebuilt = ({ name }: MachineState) => isNew && isOther && planes.includes(name);
    const change = changeOf({
      plan,
      current,
      isNew,
      documents: (await clusters.changes(cluster, documents)).map(({ field, ...values }) => ({
        name: field,
        ...values,
      })),
      catalogs: await catalogs.preview(plan, secrets),
      observed: { ...host, machines: await Promise.all(machines.map((each) => this.#observed(each, isRebuilt(each)))) },
      objects: {
        before: current ? clusterObjects(current, manager.registry) : [],
        after: clusterObjects(plan, manager.registry),
      },
      unfinished: await this.#unfinished(cluster),
    });
    const removed = change.machines.filter(({ action }) => action === 'remove');
    if (!change.isNew) await assertQuorum({ plan, connections }, removed);
    const hidden = config.services.sealer.fingerprint(secretFields(documents), `documents/${cluster}`);
    const digest = digestOf(plan, change, hidden);
    return { plan, change, current, digest, secrets, ...(resources && { resources }) };
  }

  /** A plan with the digests of its core images; with those of the current plan while the registry is unreachable. */
  async #pinned(plan: ClusterPlan, current: ClusterPlan | undefined): Promise<ClusterPlan> {
    const images = await digestsOf(plan, this.#tools.registry).catch(() => current?.images);
    return images ? { ...plan, images } : plan;
  }

  async #observed(machine: MachineState, isRebuilt: boolean): Promise<ObservedMachine> {
    const { enrolment } = this.#tools.config.services;
    return { ...machine, isLost: isRebuilt || (await enrolment.isTooLate(machine.name)) };
  }

  /** The last operation, if it did not complete: its rest is still to do. */
  async #unfinished(cluster: string): Promise<number | undefined> {
    const { operations, kinds } = this.#tools;
    const found = await Promise.all(
      [kinds.createCluster, kinds.changeCluster].map(async ({ kind }) => {
        const [last] = (await operations.list({ lock: cluster, kind, limit: 1 })).operations;
        return last;
      }),
    );
    const [last] = found.flatMap((each) => each ?? []).toSorted((one, other) => other.id - one.id);
    return last?.state === 'failed' || last?.state === 'cancelled' ? last.id : undefined;
  }
}
