import { createHash, X509Certificate } from 'node:crypto';
import { type Denied, withDenied } from '@nova-platform/catalog';
import { controlPlanes } from '@nova-platform/plan';
import type { Catalogs } from './catalogs.ts';
import type { Nodes } from './nodes.ts';
import type { Orders } from './orders.ts';
import type { Database } from './store/database.ts';

/** Maximum milliseconds to wait for a run. */
const longestRun = 60_000;

/** Which control planes of a cluster deny its revoked nodes. */
export interface Denial {
  denied: string[];
  /** These deny them after the next run of their agent, which is ordered. */
  waiting: string[];
  /** Their catalog was approved before API servers had a deny list. */
  unable: string[];
}

/**
 * The group that a node's service certificates carry in addition to the planned ones. It identifies one enrolment:
 * after the node enrols again, certificates of the earlier enrolment stay denied.
 */
export function enrolmentGroup(identity: string): string {
  const { subject, publicKey } = new X509Certificate(identity);
  const hash = createHash('sha256')
    .update(subject)
    .update(publicKey.export({ type: 'spki', format: 'der' }));
  return `nova:enrolment:${hash.digest('hex').slice(0, 32)}`;
}

/**
 * What the API of a cluster denies: certificates of revoked enrolments, and all certificates of nodes that are
 * currently revoked.
 */
export async function deniedIn(db: Database, cluster: string): Promise<Denied> {
  const rows = await db
    .selectFrom('revocations')
    .select(['node', 'enrolment'])
    .where('cluster', '=', cluster)
    .orderBy('enrolment')
    .execute();
  const revoked: string[] = [];
  for (const node of new Set(rows.map((row) => row.node))) if (await isRevoked(db, node)) revoked.push(node);
  return {
    users: revoked.toSorted().map((node) => `system:node:${node}`),
    groups: rows.map(({ enrolment }) => enrolment),
  };
}

/** The node had an identity and has no valid one left. */
async function isRevoked(db: Database, node: string): Promise<boolean> {
  const identities = await db
    .selectFrom('certificates')
    .select('revoked_at')
    .where('node', '=', node)
    .where('purpose', '=', 'identity')
    .execute();
  return identities.length > 0 && identities.every(({ revoked_at }) => revoked_at !== null);
}

/**
 * Publishes revocations to the API servers of clusters. A control plane that missed one gets it with the next run of
 * its agent.
 */
export class Revocations {
  readonly #db: Database;
  readonly #catalogs: Catalogs;
  readonly #nodes: Nodes;
  readonly #orders: Orders;

  constructor(db: Database, { catalogs, nodes, orders }: { catalogs: Catalogs; nodes: Nodes; orders: Orders }) {
    this.#db = db;
    this.#catalogs = catalogs;
    this.#nodes = nodes;
    this.#orders = orders;
  }

  /**
   * Makes the control planes of a node's cluster deny revoked nodes. They have `patience` milliseconds to take the
   * order.
   */
  async publish(node: string, patience: number): Promise<Denial> {
    const result: Denial = { denied: [], waiting: [], unable: [] };
    const plan = await this.#catalogs.planOf(node);
    if (!plan) return result;
    const denied = await deniedIn(this.#db, plan.cluster.name);
    await Promise.all(
      controlPlanes(plan.nodes).map(async ({ name }) => {
        // The first catalog of a node will contain the list. A revoked control plane gets no catalog.
        if (!(await this.#catalogs.approved(name)) || (await isRevoked(this.#db, name))) return;
        const isChanged = await this.#catalogs.change(name, (catalog) => withDenied(catalog, denied));
        if (!isChanged) result.unable.push(name);
        else if (await this.#isApplied(name, patience)) result.denied.push(name);
        else result.waiting.push(name);
      }),
    );
    return result;
  }

  /**
   * Publishes again after a revoked node has enrolled again, or after a restart before all control planes had the list.
   */
  async publishAgain(node?: string): Promise<void> {
    const rows = await this.#db
      .selectFrom('revocations')
      .select('cluster')
      .select(({ fn }) => fn.min('node').as('node'))
      .$if(node !== undefined, (query) => query.where('node', '=', node ?? ''))
      .groupBy('cluster')
      .execute();
    for (const row of rows) await this.publish(row.node, 0);
  }

  /** Orders a run if needed. The order remains after the timeout. */
  async #isApplied(name: string, patience: number): Promise<boolean> {
    if ((await this.#nodes.progress(name)).isCurrent) return true;
    return new Promise((resolve) => {
      let timer = setTimeout(() => resolve(false), patience);
      this.#orders.place(name, 'run', (event) => {
        if ('taken' in event) {
          clearTimeout(timer);
          timer = setTimeout(() => resolve(false), longestRun);
        }
        if (!('exitCode' in event)) return;
        clearTimeout(timer);
        // 2: resources were changed.
        resolve(event.exitCode === 0 || event.exitCode === 2);
      });
    });
  }
}
