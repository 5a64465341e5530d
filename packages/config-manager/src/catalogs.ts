import { setImmediate as afterOthers } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ProblemError, problem } from '@nova-platform/api';
import {
  type Catalog,
  type CatalogChange,
  type ClusterSecrets,
  compileCatalog,
  compileResources,
  createCatalog,
  diffCatalogs,
  type Facts,
  type Manager,
  restoreCatalog,
  storeCatalog,
} from '@nova-platform/catalog';
import { bootArchive } from '@nova-platform/catalog/boot';
import type { Sealer } from '@nova-platform/pki';
import { type ClusterPlan, isOutdated, storedPlan, translatedPlan } from '@nova-platform/plan';
import { lockTable } from '@nova-platform/store';
import { sql, type Transaction } from 'kysely';
import { ApprovedPlans } from './approved-plans.ts';
import type { Authorities } from './authorities.ts';
import { compress, expand } from './compressed.ts';
import { assertNames } from './node-names.ts';
import { deniedIn } from './revocations.ts';
import { type ServedCatalog, ServedCatalogs } from './served-catalogs.ts';
import type { SharedKeys } from './shared-keys.ts';
import type { Database } from './store/database.ts';
import type { Schema } from './store/schema.ts';

/** The changes of a plan to the catalog of a node. */
export interface CatalogPreview {
  node: string;
  changes: CatalogChange[];
  /** Whether the node has ever requested a catalog. */
  isSeen: boolean;
  /** Whether the node has applied its approved catalog. */
  isCurrent: boolean;
}

/** The manager, with its address for nodes outside the platform's networks. */
export interface ConnectedManager extends Manager {
  addressOutside?: string;
}

/**
 * Nodes get only approved catalogs, which are compiled and stored when a plan is applied. The catalog of a new node
 * depends on its facts, so it is compiled at the first request.
 */
export class Catalogs {
  readonly plans: ApprovedPlans;
  readonly #db: Database;
  readonly #sealer: Sealer;
  readonly #authorities: Authorities;
  readonly #sharedKeys: SharedKeys;
  readonly #manager: ConnectedManager;
  readonly #onForgotten: () => void;
  readonly #served: ServedCatalogs;

  constructor(
    db: Database,
    {
      sealer,
      authorities,
      sharedKeys,
      manager,
      onForgotten,
    }: {
      sealer: Sealer;
      authorities: Authorities;
      sharedKeys: SharedKeys;
      manager: ConnectedManager;
      /** Called after identities of nodes were deleted. */
      onForgotten: () => void;
    },
  ) {
    this.#db = db;
    this.#sealer = sealer;
    this.plans = new ApprovedPlans(db, sealer);
    this.#served = new ServedCatalogs(db, (body) => this.#restore(body));
    this.#authorities = authorities;
    this.#sharedKeys = sharedKeys;
    this.#manager = manager;
    this.#onForgotten = onForgotten;
  }

  /** The changes that applying a plan would make, for each node. */
  async preview(plan: ClusterPlan, secrets: ClusterSecrets): Promise<CatalogPreview[]> {
    await assertNames(this.#db, plan);
    const nodes: CatalogPreview[] = [];
    for await (const { preview } of this.#compileAll(plan, secrets)) nodes.push(preview);
    return nodes;
  }

  /** Approves a plan: its nodes get the new catalogs from now on. `assertAllowed` can reject the changes. */
  async apply(
    plan: ClusterPlan,
    secrets: ClusterSecrets,
    assertAllowed: (nodes: CatalogPreview[]) => void = () => undefined,
  ): Promise<void> {
    await assertNames(this.#db, plan);
    await this.#authorities.ensureCluster(plan);
    await this.#sharedKeys.ensure(plan);
    const nodes: CatalogPreview[] = [];
    const compiled: Catalog[] = [];
    for await (const { preview, catalog } of this.#compileAll(plan, secrets)) {
      nodes.push(preview);
      // The first catalog of a node is compiled when its facts are known.
      if (preview.isSeen) compiled.push(catalog);
    }
    assertAllowed(nodes);
    const cluster = plan.cluster.name;
    const stored = this.plans.stored(plan, secrets);
    const withCatalog = new Set(compiled.map(({ node }) => node));
    await this.#db.transaction().execute(async (transaction) => {
      // The reads and writes below must be atomic.
      await lockTable(transaction, 'nodes');
      await assertNames(transaction, plan);
      await transaction
        .insertInto('plans')
        .values({ cluster, ...stored, approved_at: Date.now() })
        .onConflict((conflict) =>
          conflict.column('cluster').doUpdateSet({
            ...stored,
            // Unique for each approval, so that approvals can be told apart.
            approved_at: sql`case when excluded.approved_at > plans.approved_at
              then excluded.approved_at else plans.approved_at + 1 end`,
          }),
        )
        .execute();
      // Nodes that are no longer planned get no catalog.
      await transaction
        .updateTable('nodes')
        .set({ cluster: null, catalog_id: null, roles: null, address: null })
        .where('cluster', '=', cluster)
        .where('name', 'not in', ['', ...plan.nodes.map(({ name }) => name)])
        .execute();
      for (const { name, roles, address } of plan.nodes) {
        const planned = { cluster, roles: roles.join(), address };
        await transaction
          .insertInto('nodes')
          .values({ name, ...planned })
          .onConflict((conflict) =>
            conflict.column('name').doUpdateSet({
              ...planned,
              // A new node that connected during compilation got a catalog of the previous plan.
              ...(!withCatalog.has(name) && { catalog_id: null }),
            }),
          )
          .execute();
      }
      for (const catalog of compiled) await this.#approve(transaction, catalog);
    });
  }

  /** Deletes the data of a cluster and its nodes: catalogs, identities, keys and CAs. */
  async forget(cluster: string): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      const rows = await transaction.selectFrom('nodes').select('name').where('cluster', '=', cluster).execute();
      const names = ['', ...rows.map(({ name }) => name)];
      for (const table of ['catalogs', 'reports', 'certificates', 'tokens'] as const)
        await transaction.deleteFrom(table).where('node', 'in', names).execute();
      await transaction.deleteFrom('nodes').where('cluster', '=', cluster).execute();
      for (const table of ['plans', 'shared_keys', 'revocations'] as const)
        await transaction.deleteFrom(table).where('cluster', '=', cluster).execute();
      await transaction.deleteFrom('authorities').where('name', 'like', `${cluster}/%`).execute();
    });
    this.plans.forget(cluster);
    this.#authorities.forget(cluster);
    this.#onForgotten();
  }

  /** Deletes the data of a node, so that a new machine with the same name starts without it. */
  async forgetNode(name: string): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      for (const table of ['catalogs', 'reports', 'certificates', 'tokens'] as const)
        await transaction.deleteFrom(table).where('node', '=', name).execute();
      await transaction
        .updateTable('nodes')
        .set({ facts: null, seen_at: null, catalog_id: null, applied_catalog_id: null })
        .set({ last_report_id: null, last_status: null })
        .where('name', '=', name)
        .execute();
      await transaction.deleteFrom('nodes').where('name', '=', name).where('cluster', 'is', null).execute();
    });
    this.#onForgotten();
  }

  /** Changes the approved catalog of a node. Returns false if there is none or `change` does not apply to it. */
  async change(node: string, change: (catalog: Catalog) => Catalog | undefined): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      await lockTable(transaction, 'nodes');
      const stored = await this.#stored(transaction, node);
      const changed = stored === undefined ? undefined : change(restoreCatalog(stored, this.#sealer));
      if (changed) await this.#approve(transaction, changed);
      return changed !== undefined;
    });
  }

  /** The approved catalog of a node. */
  async approved(node: string): Promise<{ id: number; approvedAt: Date; catalog: Catalog } | undefined> {
    const row = await this.#db
      .selectFrom('nodes')
      .innerJoin('catalogs', 'catalogs.id', 'nodes.catalog_id')
      .select(['catalogs.id', 'catalogs.body', 'catalogs.approved_at'])
      .where('nodes.name', '=', node)
      .executeTakeFirst();
    return row && { id: row.id, approvedAt: new Date(row.approved_at), catalog: this.#restore(row.body) };
  }

  /** The same in the agents' format. For a new node the catalog is compiled now. */
  async served(node: string, facts: Facts): Promise<ServedCatalog | undefined> {
    const row = await this.#db
      .selectFrom('nodes')
      .select(['catalog_id', 'cluster'])
      .where('name', '=', node)
      .executeTakeFirst();
    if (!row) return undefined;
    if (row.catalog_id !== null) return this.#served.of(node, row.catalog_id);
    const approved = row.cluster === null ? undefined : await this.plans.of(row.cluster);
    if (!approved?.plan.nodes.some(({ name }) => name === node)) return undefined;
    const catalog = await this.#compile(approved.plan, approved.secrets, node, facts);
    await this.#db.transaction().execute(async (transaction) => {
      // Store the facts as well: the next approval needs them. This update waits for an approval that is in progress.
      const known = { facts: compress(JSON.stringify(facts)), seen_at: Date.now() };
      await transaction.updateTable('nodes').set(known).where('name', '=', node).execute();
      const plan = await transaction
        .selectFrom('nodes')
        .innerJoin('plans', 'plans.cluster', 'nodes.cluster')
        .select('plans.approved_at')
        .where('nodes.name', '=', node)
        .executeTakeFirst();
      // If another plan was approved in the meantime, the recursive call compiles that one.
      if (plan?.approved_at === approved.approvedAt) await this.#approve(transaction, catalog);
    });
    return this.served(node, facts);
  }

  /** The archive for the first boot of a machine. Undefined if only an agent can apply the catalog. */
  async bootArchive(node: string, facts: Facts): Promise<Buffer | undefined> {
    const served = await this.served(node, facts);
    const approved = served && (await this.approved(node));
    return approved && bootArchive(approved.catalog, String(approved.id));
  }

  /** Content from the node's latest catalogs, by its checksum: a current run may still use an earlier catalog. */
  async file(node: string, checksum: string): Promise<string | undefined> {
    const rows = await this.#db
      .selectFrom('catalogs')
      .innerJoin('nodes', 'nodes.name', 'catalogs.node')
      .select('catalogs.id')
      .where('nodes.name', '=', node)
      .where('nodes.catalog_id', 'is not', null)
      .orderBy('catalogs.id', 'desc')
      .limit(3)
      .execute();
    for (const { id } of rows) {
      const content = (await this.#served.of(node, id))?.files.get(checksum);
      if (content !== undefined) return content;
    }
    return undefined;
  }

  /** The changes of the approved catalog since the last run. Drift is unknown until the agent runs. */
  async sinceLastRun(node: string): Promise<CatalogChange[]> {
    const row = await this.#db
      .selectFrom('nodes')
      .leftJoin('catalogs', 'catalogs.id', 'nodes.applied_catalog_id')
      .select('catalogs.body')
      .where('nodes.name', '=', node)
      .executeTakeFirst();
    return diffCatalogs(row?.body ? this.#restore(row.body) : undefined, (await this.approved(node))?.catalog);
  }

  /** The changes that applying the plan again would make, because of new code or new facts. They are not approved. */
  async pending(node: string): Promise<CatalogChange[]> {
    const approved = await this.approved(node);
    if (!approved) return [];
    const plan = await this.plans.ofNode(node);
    if (!plan) return [];
    return diffCatalogs(approved.catalog, await this.#compile(plan.plan, plan.secrets, node, await this.facts(node)));
  }

  /** The plan that contains the node. */
  async planOf(node: string): Promise<ClusterPlan | undefined> {
    return (await this.plans.ofNode(node))?.plan;
  }

  async facts(node: string): Promise<Facts | undefined> {
    const row = await this.#db.selectFrom('nodes').select('facts').where('name', '=', node).executeTakeFirst();
    return row?.facts ? (JSON.parse(expand(row.facts)) as Facts) : undefined;
  }

  /** The approved plan of the cluster before `next`, in the schema of this release. */
  async planBefore(next: ClusterPlan): Promise<ClusterPlan | undefined> {
    const { name } = next.cluster;
    const plan = (await this.plans.of(name))?.plan;
    return plan && isOutdated(storedPlan(name, plan)) ? translatedPlan(plan, next) : plan;
  }

  /** Secrets that were approved with the plan. Only nodes and the platform's pods get them. */
  async approvedSecrets(cluster: string): Promise<ClusterSecrets> {
    return (await this.plans.of(cluster))?.secrets ?? {};
  }

  /** Compiles one catalog at a time: together, the catalogs of a large cluster use much memory. */
  async *#compileAll(
    plan: ClusterPlan,
    secrets: ClusterSecrets,
  ): AsyncGenerator<{ preview: CatalogPreview; catalog: Catalog }> {
    const context = await this.#contextOf(plan, secrets);
    const rows = await this.#db
      .selectFrom('nodes')
      .leftJoin('catalogs', 'catalogs.id', 'nodes.catalog_id')
      .select(['nodes.name', 'nodes.facts', 'nodes.catalog_id', 'nodes.applied_catalog_id', 'catalogs.body'])
      .where('nodes.name', 'in', ['', ...plan.nodes.map(({ name }) => name)])
      .execute();
    const known = new Map(rows.map((row) => [row.name, row]));
    for (const node of plan.nodes) {
      // This takes long for a large cluster: let other requests run in between.
      await afterOthers();
      const row = known.get(node.name);
      const facts = row?.facts ? (JSON.parse(expand(row.facts)) as Facts) : undefined;
      const approved = row?.body ? this.#restore(row.body) : undefined;
      const compiled = { node: node.name, resources: compileResources({ ...context, node, facts }) };
      const changes = diffCatalogs(approved, compiled);
      // Most changes affect few nodes. An unchanged catalog was validated when it was approved.
      const isChecked = changes.length === 0 && approved?.resources.length === compiled.resources.length;
      const catalog = isChecked ? compiled : createCatalog(compiled.node, compiled.resources);
      const preview = {
        node: node.name,
        changes,
        isSeen: facts !== undefined,
        isCurrent: row !== undefined && row.catalog_id !== null && row.catalog_id === row.applied_catalog_id,
      };
      yield { preview, catalog };
    }
  }

  async #compile(plan: ClusterPlan, secrets: ClusterSecrets, name: string, facts: Facts | undefined): Promise<Catalog> {
    const node = plan.nodes.find((each) => each.name === name);
    if (!node) throw new ProblemError(problem('NOVA8010', { node: name }));
    return compileCatalog({ ...(await this.#contextOf(plan, secrets)), node, facts });
  }

  /** The inputs that are the same for all nodes of a plan. */
  async #contextOf(plan: ClusterPlan, secrets: ClusterSecrets) {
    const authorities = await this.#authorities.ofCluster(plan);
    const denied = await deniedIn(this.#db, plan.cluster.name);
    return { plan, secrets, manager: managerFor(plan, this.#manager), authorities, denied };
  }

  /** Does nothing if the catalog equals the approved one, so that its version does not change. */
  async #approve(transaction: Transaction<Schema>, catalog: Catalog): Promise<void> {
    const { node } = catalog;
    const stored = await this.#stored(transaction, node);
    const text = storeCatalog(catalog, this.#sealer);
    if (stored === text) return;
    if (stored !== undefined && isSame(restoreCatalog(stored, this.#sealer), catalog)) return;
    const { id } = await transaction
      .insertInto('catalogs')
      .values({ node, body: compress(text), approved_at: Date.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await transaction.updateTable('nodes').set({ catalog_id: id }).where('name', '=', node).execute();
  }

  /** The approved catalog of a node, serialized. */
  async #stored(transaction: Transaction<Schema>, node: string): Promise<string | undefined> {
    const row = await transaction
      .selectFrom('nodes')
      .innerJoin('catalogs', 'catalogs.id', 'nodes.catalog_id')
      .select('catalogs.body')
      .where('nodes.name', '=', node)
      .executeTakeFirst();
    return row && expand(row.body);
  }

  #restore(body: Uint8Array): Catalog {
    return restoreCatalog(expand(body), this.#sealer);
  }
}

function isSame(one: Catalog, other: Catalog): boolean {
  const order = ({ resources }: Catalog) => resources.map(({ type, title, piece }) => [type, title, piece]);
  return isDeepStrictEqual(order(one), order(other)) && diffCatalogs(one, other).length === 0;
}

/** Nodes outside the platform's networks reach the manager at the address that is published for them. */
function managerFor({ network }: ClusterPlan, manager: ConnectedManager): Manager {
  const { addressOutside, ...same } = manager;
  return network.kind === 'site' && addressOutside !== undefined ? { ...same, address: addressOutside } : same;
}
