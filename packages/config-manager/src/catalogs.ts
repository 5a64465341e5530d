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

/** What a plan would change for a node. */
export interface CatalogPreview {
  node: string;
  changes: CatalogChange[];
  /** Whether it has ever come for a catalog. */
  isSeen: boolean;
  /** Whether it has become what was approved. */
  isCurrent: boolean;
}

/**
 * What nodes get is what was approved: catalogs are compiled when a plan is applied, and kept. Only a node that has
 * never been seen gets its catalog at first contact, because it depends on what the node is.
 */
export class Catalogs {
  readonly plans: ApprovedPlans;
  readonly #db: Database;
  readonly #sealer: Sealer;
  readonly #authorities: Authorities;
  readonly #sharedKeys: SharedKeys;
  readonly #manager: Manager;
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
      manager: Manager;
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

  /** What applying a plan would change, node by node. */
  async preview(plan: ClusterPlan, secrets: ClusterSecrets): Promise<CatalogPreview[]> {
    await assertNames(this.#db, plan);
    const nodes: CatalogPreview[] = [];
    for await (const { preview } of this.#compileAll(plan, secrets)) nodes.push(preview);
    return nodes;
  }

  /** Approves a plan: from now on its nodes get what it says. `demand` may still refuse what that would change. */
  async apply(
    plan: ClusterPlan,
    secrets: ClusterSecrets,
    demand: (nodes: CatalogPreview[]) => void = () => undefined,
  ): Promise<void> {
    await assertNames(this.#db, plan);
    await this.#authorities.ensureCluster(plan);
    await this.#sharedKeys.ensure(plan);
    const nodes: CatalogPreview[] = [];
    const compiled: Catalog[] = [];
    for await (const { preview, catalog } of this.#compileAll(plan, secrets)) {
      nodes.push(preview);
      // The first catalog of a node waits for its facts.
      if (preview.isSeen) compiled.push(catalog);
    }
    demand(nodes);
    const cluster = plan.cluster.name;
    const stored = this.plans.stored(plan, secrets);
    const withCatalog = new Set(compiled.map(({ node }) => node));
    await this.#db.transaction().execute(async (transaction) => {
      // What is read and what is written below belong together.
      await lockTable(transaction, 'nodes');
      await assertNames(transaction, plan);
      await transaction
        .insertInto('plans')
        .values({ cluster, ...stored, approved_at: Date.now() })
        .onConflict((conflict) =>
          conflict.column('cluster').doUpdateSet({
            ...stored,
            // Never the same twice: it tells one approval from another.
            approved_at: sql`case when excluded.approved_at > plans.approved_at
              then excluded.approved_at else plans.approved_at + 1 end`,
          }),
        )
        .execute();
      // Nodes that are planned no longer get nothing more.
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
              // A node that came just now, while this was compiled, got what was approved before.
              ...(!withCatalog.has(name) && { catalog_id: null }),
            }),
          )
          .execute();
      }
      for (const catalog of compiled) await this.#approve(transaction, catalog);
    });
  }

  /** Forgets a cluster with everything that its nodes had: catalogs, identities, keys and authorities. */
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

  /** Forgets everything that a node had and did: a machine that comes under its name is another one. */
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

  /** Changes the approved catalog of a node; returns whether there is one that can be changed so. */
  async change(node: string, change: (catalog: Catalog) => Catalog | undefined): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      await lockTable(transaction, 'nodes');
      const stored = await this.#stored(transaction, node);
      const changed = stored === undefined ? undefined : change(restoreCatalog(stored, this.#sealer));
      if (changed) await this.#approve(transaction, changed);
      return changed !== undefined;
    });
  }

  /** The catalog that a node gets. */
  async approved(node: string): Promise<{ id: number; approvedAt: Date; catalog: Catalog } | undefined> {
    const row = await this.#db
      .selectFrom('nodes')
      .innerJoin('catalogs', 'catalogs.id', 'nodes.catalog_id')
      .select(['catalogs.id', 'catalogs.body', 'catalogs.approved_at'])
      .where('nodes.name', '=', node)
      .executeTakeFirst();
    return row && { id: row.id, approvedAt: new Date(row.approved_at), catalog: this.#restore(row.body) };
  }

  /** The same, ready to be sent; compiled now for a node that is seen for the first time. */
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
      // With the facts it was compiled from: whoever approves the next plan must know them. Whoever approves one now
      // is waited for.
      const known = { facts: compress(JSON.stringify(facts)), seen_at: Date.now() };
      await transaction.updateTable('nodes').set(known).where('name', '=', node).execute();
      const plan = await transaction
        .selectFrom('nodes')
        .innerJoin('plans', 'plans.cluster', 'nodes.cluster')
        .select('plans.approved_at')
        .where('nodes.name', '=', node)
        .executeTakeFirst();
      // Another plan was approved meanwhile: the next round compiles that one.
      if (plan?.approved_at === approved.approvedAt) await this.#approve(transaction, catalog);
    });
    return this.served(node, facts);
  }

  /** The same for the first boot of a machine; undefined when an agent has to apply it. */
  async bootArchive(node: string, facts: Facts): Promise<Buffer | undefined> {
    const served = await this.served(node, facts);
    const approved = served && (await this.approved(node));
    return approved && bootArchive(approved.catalog, String(approved.id));
  }

  /** A content of the node's own catalogs by its checksum: a run that is under way may still have the one before. */
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

  /** What the next run would change, as far as the last one went. */
  async sinceLastRun(node: string): Promise<CatalogChange[]> {
    const row = await this.#db
      .selectFrom('nodes')
      .leftJoin('catalogs', 'catalogs.id', 'nodes.applied_catalog_id')
      .select('catalogs.body')
      .where('nodes.name', '=', node)
      .executeTakeFirst();
    return diffCatalogs(row?.body ? this.#restore(row.body) : undefined, (await this.approved(node))?.catalog);
  }

  /** What the node would get if its plan were applied anew: newer code, or facts that changed. Nobody approved it yet. */
  async pending(node: string): Promise<CatalogChange[]> {
    const approved = await this.approved(node);
    if (!approved) return [];
    const plan = await this.plans.ofNode(node);
    if (!plan) return [];
    return diffCatalogs(approved.catalog, await this.#compile(plan.plan, plan.secrets, node, await this.facts(node)));
  }

  /** The plan a node belongs to. */
  async planOf(node: string): Promise<ClusterPlan | undefined> {
    return (await this.plans.ofNode(node))?.plan;
  }

  async facts(node: string): Promise<Facts | undefined> {
    const row = await this.#db.selectFrom('nodes').select('facts').where('name', '=', node).executeTakeFirst();
    return row?.facts ? (JSON.parse(expand(row.facts)) as Facts) : undefined;
  }

  /** The plan that was approved for a cluster before `next`, in the form of this release. */
  async planBefore(next: ClusterPlan): Promise<ClusterPlan | undefined> {
    const { name } = next.cluster;
    const plan = (await this.plans.of(name))?.plan;
    return plan && isOutdated(storedPlan(name, plan)) ? translatedPlan(plan, next) : plan;
  }

  /** What was approved together with it, and only nodes and the platform's pods get. */
  async approvedSecrets(cluster: string): Promise<ClusterSecrets> {
    return (await this.plans.of(cluster))?.secrets ?? {};
  }

  /** One after the other: all catalogs of a large cluster together are large. */
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
      // Of a large cluster this takes long: requests that came meanwhile are answered.
      await afterOthers();
      const row = known.get(node.name);
      const facts = row?.facts ? (JSON.parse(expand(row.facts)) as Facts) : undefined;
      const approved = row?.body ? this.#restore(row.body) : undefined;
      const compiled = { node: node.name, resources: compileResources({ ...context, node, facts }) };
      const changes = diffCatalogs(approved, compiled);
      // Most changes concern few nodes: what the others have was checked when it was approved.
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

  /** What catalogs of all nodes of a plan are compiled with. */
  async #contextOf(plan: ClusterPlan, secrets: ClusterSecrets) {
    const authorities = await this.#authorities.ofCluster(plan);
    const denied = await deniedIn(this.#db, plan.cluster.name);
    return { plan, secrets, manager: this.#manager, authorities, denied };
  }

  /** A catalog like the one there is changes nothing, so that its version stays. */
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

  /** The approved catalog of a node, as text. */
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
