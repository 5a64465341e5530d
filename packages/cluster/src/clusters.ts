import {
  loadDocuments,
  type MachineKind,
  type Problem,
  ProblemError,
  type ProviderSettings,
  problem,
} from '@nova-platform/api';
import { type ClusterSecrets, secretsOf } from '@nova-platform/catalog';
import type { ChangedField } from '@nova-platform/change/fields';
import type { Journal, Writing } from '@nova-platform/operations';
import type { Sealer } from '@nova-platform/pki';
import {
  type ClusterPlan,
  checkAgainstPlans,
  controlPlanes,
  type Defaults,
  isOutdated,
  type OutdatedPlan,
  type Planned,
  planOf,
  type Site,
  StoredPlans,
  storedPlan,
  translatedPlan,
} from '@nova-platform/plan';
import type { Kysely } from 'kysely';
import { documentChanges, masked, unmasked } from './documents.ts';
import { withModules } from './modules.ts';
import { withCounts } from './scale.ts';
import type { ClusterSchema } from './schema.ts';

export interface Cluster {
  name: string;
  revision: number;
  provider: string;
  kubernetesVersion: string;
  nodeCount: number;
  changedAt: string;
  changedBy: string;
}

/** The content of a cluster's documents. */
export interface Declaration {
  plan: ClusterPlan;
  secrets: ClusterSecrets;
}

/** The declared clusters. */
export class Clusters {
  readonly #journal: Journal<ClusterSchema>;
  readonly #sealer: Sealer;
  readonly #site: Site;
  /** The approved plans of all other clusters. */
  readonly #approved: (except: readonly string[]) => Promise<ClusterPlan[]>;
  readonly #newestRelease: () => Promise<string | undefined>;
  /** The kind of machines that suits the host; undefined while the host is unreachable. */
  readonly #hostKind: () => Promise<MachineKind | undefined>;
  /** For all clusters together. */
  readonly #maxNodes: number;
  readonly #stored = new StoredPlans();

  constructor(
    journal: Journal<ClusterSchema>,
    sealer: Sealer,
    site: Site,
    approved: (except: readonly string[]) => Promise<ClusterPlan[]>,
    newestRelease: () => Promise<string | undefined>,
    hostKind: () => Promise<MachineKind | undefined>,
    maxNodes: number,
  ) {
    this.#journal = journal;
    this.#sealer = sealer;
    this.#site = site;
    this.#approved = approved;
    this.#newestRelease = newestRelease;
    this.#hostKind = hostKind;
    this.#maxNodes = maxNodes;
  }

  /** Ordered by name; `search` is a part of the name. */
  async page({ search, after, limit }: { search?: string | undefined; after?: string | undefined; limit: number }) {
    const rows = await this.#db
      .selectFrom('clusters')
      .select(['name', 'revision', 'provider', 'kubernetes_version', 'node_count', 'changed_at', 'changed_by'])
      .$if(search !== undefined, (query) => query.where('name', 'like', `%${escaped(search ?? '')}%`))
      .$if(after !== undefined, (query) => query.where('name', '>', after ?? ''))
      .orderBy('name')
      .limit(limit + 1)
      .execute();
    const clusters = rows.slice(0, limit).map(asCluster);
    const last = clusters.at(-1);
    return { clusters, ...(rows.length > limit && last && { next: last.name }) };
  }

  async show(name: string): Promise<Cluster & { documents: string }> {
    const row = await this.#row(name);
    return { ...asCluster(row), documents: masked(this.#open(row)) };
  }

  async has(name: string): Promise<boolean> {
    const row = await this.#db.selectFrom('clusters').select('name').where('name', '=', name).executeTakeFirst();
    return row !== undefined;
  }

  async names(): Promise<ReadonlySet<string>> {
    const rows = await this.#db.selectFrom('clusters').select('name').execute();
    return new Set(rows.map(({ name }) => name));
  }

  async count(): Promise<number> {
    const row = await this.#db
      .selectFrom('clusters')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  }

  /** Refuses a plan that would exceed the site's limit of nodes. A cluster can always shrink. */
  async assertNodeLimit(
    { cluster: { name }, nodes }: ClusterPlan,
    db: Kysely<ClusterSchema> = this.#db,
  ): Promise<void> {
    const rows = await db.selectFrom('clusters').select(['name', 'node_count']).execute();
    const before = rows.find((row) => row.name === name)?.node_count ?? 0;
    const count = rows.reduce((sum, row) => sum + row.node_count, nodes.length - before);
    if (count <= this.#maxNodes || nodes.length <= before) return;
    throw new ProblemError(problem('NOVA8425', { count, limit: this.#maxNodes }));
  }

  /** Replaces masked secrets with those of the current declaration. */
  async unmasked(name: string, documents: string): Promise<string> {
    const row = await this.#find(name);
    return unmasked(name, documents, row ? this.#open(row) : '');
  }

  /** The fields that documents change in the current declaration. */
  async changes(name: string, documents: string): Promise<ChangedField[]> {
    const row = await this.#find(name);
    return documentChanges(row ? this.#open(row) : '', documents);
  }

  /** Validates and plans documents; reports all problems at once. */
  async read(name: string, documents: string): Promise<Declaration> {
    const newestRelease = await this.#newestRelease();
    const { plan, documents: read } = await this.#planned(name, documents, newestRelease);
    if (plan.cluster.name !== name) throw new ProblemError(problem('NOVA8322', { cluster: name }));
    // As it is stored: without undefined fields.
    return { plan: JSON.parse(JSON.stringify(plan)) as ClusterPlan, secrets: secretsOf(read.proxy?.value) };
  }

  /** The plan of documents, and the settings of their infrastructure provider with secrets. */
  async provider(name: string, documents: string): Promise<Pick<Declaration, 'plan'> & { provider: ProviderSettings }> {
    const { plan, documents: read } = await this.#planned(name, documents);
    return { plan, provider: read.infrastructure.value.spec.provider };
  }

  /** The plan of the current declaration. */
  async plan(name: string): Promise<ClusterPlan> {
    const row = await this.#row(name);
    const plan = row.plan === null ? undefined : this.#stored.read(name, row.plan);
    if (plan && !isOutdated(plan)) return plan;
    return (await this.read(name, this.#open(row))).plan;
  }

  /** The plan of documents, or all their problems; nothing is stored. */
  async check(documents: string): Promise<{ problems: Problem[]; plan?: ClusterPlan }> {
    try {
      return { problems: [], plan: (await this.#planned('cluster', documents)).plan };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return { problems: [...error.problems] };
    }
  }

  /** The declared documents with other sizes of node groups. */
  async scaled(name: string, groups: Readonly<Record<string, number>>): Promise<string> {
    return withCounts(name, this.#open(await this.#row(name)), groups);
  }

  /** The declared documents with modules enabled or disabled. */
  async withModules(name: string, wanted: Readonly<Record<string, boolean>>): Promise<string> {
    return withModules(this.#open(await this.#row(name)), wanted);
  }

  /** The initial members of etcd; none before the cluster is declared, or once etcd exists. */
  async initialMembers(name: string): Promise<string[]> {
    const members = (await this.#find(name))?.initial_members ?? null;
    return members === null ? [] : (JSON.parse(members) as string[]);
  }

  /** Called before etcd exists; has no effect afterwards. */
  async setInitialMembers(name: string, members: readonly string[]): Promise<void> {
    const initialMembers = JSON.stringify(members);
    await this.#journal.write((transaction) =>
      transaction
        .updateTable('clusters')
        .set({ initial_members: initialMembers })
        .where('name', '=', name)
        .where('initial_members', 'is not', null)
        .execute(),
    );
  }

  /** Called when etcd exists: control planes that come later can only join. */
  async forgetInitialMembers(name: string): Promise<void> {
    await this.#journal.write((transaction) =>
      transaction.updateTable('clusters').set({ initial_members: null }).where('name', '=', name).execute(),
    );
  }

  /** Stores a declaration. `seen` is the revision that the request is based on. */
  async declare(
    { transaction, emit }: Writing<ClusterSchema>,
    { plan, documents, by, seen }: { plan: ClusterPlan; documents: string; by: string; seen: number },
  ): Promise<void> {
    const { name } = plan.cluster;
    await this.assertNodeLimit(plan, transaction);
    const before = await transaction
      .selectFrom('clusters')
      .select('revision')
      .where('name', '=', name)
      .executeTakeFirst();
    const revision = before?.revision ?? 0;
    this.assertRevision(name, seen, revision);
    const row = {
      name,
      revision: revision + 1,
      sealed_documents: this.#sealer.seal(documents, sealContext(name)),
      plan: JSON.stringify(plan),
      provider: plan.cluster.provider,
      kubernetes_version: plan.cluster.kubernetesVersion,
      node_count: plan.nodes.length,
      changed_at: Date.now(),
      changed_by: by,
    };
    await transaction
      .insertInto('clusters')
      .values({ ...row, initial_members: JSON.stringify(controlPlanes(plan.nodes).map((node) => node.name)) })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
    await emit({ kind: 'cluster', cluster: name, data: { revision: row.revision, by } });
  }

  /** Refuses a request that is based on an older revision. */
  assertRevision(cluster: string, seen: number, revision: number): void {
    if (seen !== revision) throw new ProblemError(problem('NOVA8320', { cluster, revision }));
  }

  /** The current revision; 0 for a cluster that is not declared. */
  async revisionOf(name: string): Promise<number> {
    return (await this.#find(name))?.revision ?? 0;
  }

  async remove(name: string): Promise<void> {
    await this.#journal.write(async (transaction, emit) => {
      await transaction.deleteFrom('clusters').where('name', '=', name).execute();
      await emit({ kind: 'cluster', cluster: name, data: { isRemoved: true } });
    });
  }

  /** Plans documents beside everything that is declared. */
  async #planned(name: string, documents: string, newestRelease?: string): Promise<Planned> {
    const { plans, unreadable } = await this.#known();
    const defaults = { newestRelease, hostKind: await this.#hostKind() };
    const planned = planBeside(name, documents, plans, this.#site, defaults);
    const other = unreadable.find(({ cluster }) => cluster.name !== planned.plan.cluster.name);
    if (other) throw new ProblemError(problem('NOVA5005', { cluster: other.cluster.name, field: other.field }));
    return planned;
  }

  /** The declared plans of all clusters. Outdated ones are translated with the help of their documents. */
  async #known(): Promise<{ plans: ClusterPlan[]; unreadable: OutdatedPlan[] }> {
    const rows = await this.#db
      .selectFrom('clusters')
      .select(['name', 'plan', 'sealed_documents'])
      .orderBy('name')
      .execute();
    const declared = rows.flatMap(({ name, plan }) => (plan === null ? [] : [this.#stored.read(name, plan)]));
    // Clusters that an older release declared have only an approved plan.
    const approved = await this.#approved(declared.map(({ cluster }) => cluster.name));
    const all = [...declared, ...approved.map((plan) => storedPlan(plan.cluster.name, plan))];
    const plans = all.flatMap((plan) => (isOutdated(plan) ? [] : [plan]));
    const unreadable: OutdatedPlan[] = [];
    for (const outdated of all.filter(isOutdated)) {
      const { name } = outdated.cluster;
      const row = rows.find((each) => each.name === name);
      const stored = row?.plan ? JSON.parse(row.plan) : approved.find(({ cluster }) => cluster.name === name);
      const fresh = row && freshPlan(name, this.#open(row), plans, this.#site);
      if (fresh) plans.push(translatedPlan(stored, fresh));
      else unreadable.push(outdated);
    }
    return { plans, unreadable };
  }

  get #db(): Kysely<ClusterSchema> {
    return this.#journal.db;
  }

  async #find(name: string): Promise<ClusterSchema['clusters'] | undefined> {
    return this.#db.selectFrom('clusters').selectAll().where('name', '=', name).executeTakeFirst();
  }

  async #row(name: string): Promise<ClusterSchema['clusters']> {
    const row = await this.#find(name);
    if (!row) throw new ProblemError(problem('NOVA8321', { cluster: name }));
    return row;
  }

  #open({ name, sealed_documents }: Pick<ClusterSchema['clusters'], 'name' | 'sealed_documents'>): string {
    return this.#sealer.open(sealed_documents, sealContext(name));
  }
}

const sealContext = (cluster: string): string => `documents/${cluster}`;

function planBeside(
  name: string,
  documents: string,
  plans: readonly ClusterPlan[],
  site: Site,
  defaults?: Defaults,
): Planned {
  const loaded = loadDocuments([{ name: `${name}.yaml`, text: documents }]);
  return planOf(checkAgainstPlans(loaded, plans, site), undefined, defaults);
}

/** A plan as if the cluster were new; none for documents that this release refuses. */
function freshPlan(
  name: string,
  documents: string,
  plans: readonly ClusterPlan[],
  site: Site,
): ClusterPlan | undefined {
  try {
    return planBeside(name, documents, plans, site).plan;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return undefined;
  }
}

/** Removes the wildcards of `like`; names contain none. */
function escaped(search: string): string {
  return search.toLowerCase().replace(/[%_\\]/g, '');
}

function asCluster(row: Omit<ClusterSchema['clusters'], 'sealed_documents' | 'initial_members' | 'plan'>): Cluster {
  return {
    name: row.name,
    revision: row.revision,
    provider: row.provider,
    kubernetesVersion: row.kubernetes_version,
    nodeCount: row.node_count,
    changedAt: new Date(row.changed_at).toISOString(),
    changedBy: row.changed_by,
  };
}
