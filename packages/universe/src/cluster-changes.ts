import { ProblemError, problem } from '@nova-platform/api';
import type { ClusterSecrets } from '@nova-platform/catalog';
import { type Change, changeOf, digestOf } from '@nova-platform/change';
import { isEmpty, summaryOf } from '@nova-platform/change/view';
import type { OperationView } from '@nova-platform/operations';
import type { ClusterPlan } from '@nova-platform/plan';
import { demandPossible } from './cluster-preflight.ts';
import { assertUnlocked } from './machine-lock.ts';
import type { Parts } from './universe.ts';

/** What a declaration would do, and what stands for exactly that. */
export interface Preview {
  plan: ClusterPlan;
  change: Change;
  digest: string;
}

export interface Declaring {
  /** Of the preview that was approved. */
  digest: string | undefined;
  /** The revision that the request is based on (If-Match); without it, the newest. */
  seen: number | undefined;
  by: string;
}

type Tools = Pick<Parts, 'clusters' | 'work' | 'delivery' | 'config' | 'engine' | 'registry' | 'operations' | 'kinds'>;

/** From documents to the change that they make, and to the operation that makes it. */
export class ClusterChanges {
  readonly #tools: Tools;
  #declared: Promise<unknown> = Promise.resolve();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  async preview(cluster: string, documents: string): Promise<Preview> {
    const { plan, change, digest } = await this.#compute(cluster, documents);
    return { plan, change, digest };
  }

  /**
   * Keeps a declaration and starts the operation that makes it so; none where nothing is to be done. One after the
   * other: two clusters that are declared at once must not be given the same addresses.
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
    const { clusters, work, config, operations, kinds } = this.#tools;
    const seen = expected ?? (await clusters.revisionOf(cluster));
    const computed = await this.#compute(cluster, documents);
    const { plan, change, secrets } = computed;
    if (digest !== undefined && digest !== computed.digest)
      throw new ProblemError(problem('NOVA8017', { difference: summaryOf(change) }));
    if (isEmpty(change)) {
      clusters.demandRevision(cluster, seen, await clusters.revisionOf(cluster));
      return undefined;
    }
    if (await config.services.catalogs.approvedPlan(cluster)) await assertUnlocked(work, plan);
    const kind = change.isNew ? kinds.createCluster : kinds.changeCluster;
    const input = { plan, change, sealedSecrets: work.sealed(plan, secrets) };
    return operations.start(kind, input, by, (writing) => clusters.declare(writing, { plan, documents, by, seen }));
  }

  async #compute(cluster: string, documents: string): Promise<Preview & { secrets: ClusterSecrets }> {
    const { clusters, work, delivery, config, engine, registry } = this.#tools;
    const { catalogs } = config.services;
    const { plan: declared, secrets } = await clusters.read(cluster, documents);
    await clusters.demandNodes(declared);
    const release = await delivery.demandDeliverable(declared);
    // Without an engine nothing is known of the box, and the operation says so before it changes anything.
    const box = engine.notAfter
      ? await demandPossible(declared, release, engine.client(), registry)
      : { machines: [], processors: Number.POSITIVE_INFINITY, disk: { canLimit: true } };
    const current = await catalogs.approvedPlan(cluster);
    const plan = await work.pinned(declared, current);
    const change = changeOf({
      plan,
      current,
      isNew: await this.#isNew(plan, current),
      documents: (await clusters.changes(cluster, documents)).map(({ field, ...values }) => ({
        name: field,
        ...values,
      })),
      catalogs: await catalogs.preview(plan, secrets),
      observed: {
        machines: await work.observed(cluster, box.machines),
        processors: box.processors,
        canLimitDisks: box.disk.canLimit,
      },
      objects: { before: current ? work.objects(current) : [], after: work.objects(plan) },
      unfinished: await this.#unfinished(cluster),
    });
    const leaving = change.machines.filter(({ action }) => action === 'remove');
    if (!change.isNew) await work.members.demandQuorum(plan, leaving);
    return { plan, change, digest: digestOf(plan, change), secrets };
  }

  /** One whose store was never made, by the control planes that were to make it, is still being created. */
  async #isNew(plan: ClusterPlan, current: ClusterPlan | undefined): Promise<boolean> {
    if (!current) return true;
    const founders = await this.#tools.clusters.founders(plan.cluster.name);
    const planes = plan.nodes.filter(({ roles }) => roles.includes('control-plane')).map(({ name }) => name);
    return founders.length > 0 && founders.toSorted().join() === planes.toSorted().join();
  }

  /** The last change of a cluster, where it was not completed: something of it is still to be done. */
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
