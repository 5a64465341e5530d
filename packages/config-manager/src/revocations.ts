import { createHash, X509Certificate } from 'node:crypto';
import { type Denied, withDenied } from '@nova-platform/catalog';
import { controlPlanes } from '@nova-platform/plan';
import type { Catalogs } from './catalogs.ts';
import type { Nodes } from './nodes.ts';
import type { Orders } from './orders.ts';
import type { Database } from './store/database.ts';

/** Milliseconds that a run is waited for. */
const longestRun = 60_000;

/** Which control planes of a cluster refuse its revoked nodes. */
export interface Denial {
  denied: string[];
  /** They will, with the next run of their agent; an order for it is placed. */
  waiting: string[];
  /** Their catalog was approved before API servers had such a list. */
  unable: string[];
}

/**
 * The group that certificates of a node's services carry, besides those that are planned. It stands for one enrolment:
 * after another one, certificates of the first stay refused.
 */
export function enrolmentGroup(identity: string): string {
  const { subject, publicKey } = new X509Certificate(identity);
  const hash = createHash('sha256')
    .update(subject)
    .update(publicKey.export({ type: 'spki', format: 'der' }));
  return `nova:enrolment:${hash.digest('hex').slice(0, 32)}`;
}

/** What the API of a cluster denies: the certificates of revoked enrolments, and all of nodes that are revoked now. */
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

/** It had an identity, and has none that is valid. */
async function isRevoked(db: Database, node: string): Promise<boolean> {
  const identities = await db
    .selectFrom('certificates')
    .select('revoked_at')
    .where('node', '=', node)
    .where('purpose', '=', 'identity')
    .execute();
  return identities.length > 0 && identities.every(({ revoked_at }) => revoked_at !== null);
}

/** Brings revocations to the API servers of clusters. What is not there yet is there with the next run of the agent. */
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

  /** Has the control planes of a node's cluster refuse what is revoked. They have so many milliseconds to take the order. */
  async publish(node: string, patience: number): Promise<Denial> {
    const result: Denial = { denied: [], waiting: [], unable: [] };
    const plan = await this.#catalogs.planOf(node);
    if (!plan) return result;
    const denied = await deniedIn(this.#db, plan.cluster.name);
    await Promise.all(
      controlPlanes(plan.nodes).map(async ({ name }) => {
        // Its first catalog will have the list; a revoked control plane gets no other.
        if (!(await this.#catalogs.approved(name)) || (await isRevoked(this.#db, name))) return;
        const isChanged = await this.#catalogs.change(name, (catalog) => withDenied(catalog, denied));
        if (!isChanged) result.unable.push(name);
        else if (await this.#isApplied(name, patience)) result.denied.push(name);
        else result.waiting.push(name);
      }),
    );
    return result;
  }

  /** A node that was revoked enrolled again, or the server was restarted before control planes had the list. */
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

  /** Orders a run where it is needed. The order stays when it is not waited for any longer. */
  async #isApplied(name: string, patience: number): Promise<boolean> {
    if ((await this.#nodes.progress(name)).isCurrent) return true;
    return new Promise((resolve) => {
      let timer = setTimeout(() => resolve(false), patience);
      this.#orders.place(name, false, (event) => {
        if ('taken' in event) {
          clearTimeout(timer);
          timer = setTimeout(() => resolve(false), longestRun);
        }
        if (!('exitCode' in event)) return;
        clearTimeout(timer);
        // 2: something was changed.
        resolve(event.exitCode === 0 || event.exitCode === 2);
      });
    });
  }
}
