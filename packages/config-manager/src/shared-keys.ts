import { randomBytes } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import { createKeyPair, type Sealer } from '@nova-platform/pki';
import type { ClusterPlan } from '@nova-platform/plan';
import type { Database } from './store/database.ts';

/** Keys that several nodes of a cluster share. Nodes fetch them with their identity; catalogs never contain them. */
export class SharedKeys {
  readonly #db: Database;
  readonly #sealer: Sealer;

  constructor(db: Database, sealer: Sealer) {
    this.#db = db;
    this.#sealer = sealer;
  }

  /** Creates the missing keys of a plan. */
  async ensure({ cluster, sharedKeys }: ClusterPlan): Promise<void> {
    for (const { name } of sharedKeys) {
      const sealed = this.#sealer.seal(await createKey(name), contextOf(cluster.name, name));
      await this.#db
        .insertInto('shared_keys')
        .values({ cluster: cluster.name, name, sealed })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  async read({ cluster, sharedKeys }: ClusterPlan, node: string, name: string): Promise<string> {
    const isPlanned = sharedKeys.some((key) => key.name === name && key.nodes.includes(node));
    const row = isPlanned
      ? await this.#db
          .selectFrom('shared_keys')
          .select('sealed')
          .where('cluster', '=', cluster.name)
          .where('name', '=', name)
          .executeTakeFirst()
      : undefined;
    if (!row) throw new ProblemError(problem('NOVA8024', { node, what: name }));
    return this.#sealer.open(row.sealed, contextOf(cluster.name, name));
  }
}

async function createKey(name: string): Promise<string> {
  return name === 'service-account' ? (await createKeyPair()).privateKey : `${randomBytes(32).toString('base64')}\n`;
}

const contextOf = (cluster: string, name: string): string => `key/${cluster}/${name}`;
