import type { ClusterSecrets } from '@nova-platform/catalog';
import type { Sealer } from '@nova-platform/pki';
import { type ClusterPlan, type OutdatedPlan, storedPlan } from '@nova-platform/plan';
import { compress, expand } from './compressed.ts';
import { type PlanSummary, summaryOf } from './plan-summary.ts';
import type { Database } from './store/database.ts';
import type { Schema } from './store/schema.ts';

export interface ApprovedPlan {
  /** Differs between any two approvals of a cluster. */
  approvedAt: number;
  plan: ClusterPlan;
  secrets: ClusterSecrets;
}

/** The latest approved plan of each cluster. Plans are large and read often, so each is parsed once. */
export class ApprovedPlans {
  readonly #db: Database;
  readonly #sealer: Sealer;
  readonly #parsed = new Map<string, ApprovedPlan>();

  constructor(db: Database, sealer: Sealer) {
    this.#db = db;
    this.#sealer = sealer;
  }

  async of(cluster: string): Promise<ApprovedPlan | undefined> {
    const row = await this.#db
      .selectFrom('plans')
      .select('approved_at')
      .where('cluster', '=', cluster)
      .executeTakeFirst();
    if (!row) return undefined;
    const known = this.#parsed.get(cluster);
    if (known?.approvedAt === row.approved_at) return known;
    const { plan, sealed_secrets, approved_at } = await this.#db
      .selectFrom('plans')
      .selectAll()
      .where('cluster', '=', cluster)
      .executeTakeFirstOrThrow();
    const read = {
      approvedAt: approved_at,
      plan: JSON.parse(expand(plan)) as ClusterPlan,
      secrets: JSON.parse(this.#sealer.open(sealed_secrets, secretsContext(cluster))) as ClusterSecrets,
    };
    this.#parsed.set(cluster, read);
    return read;
  }

  async ofNode(node: string): Promise<ApprovedPlan | undefined> {
    const row = await this.#db.selectFrom('nodes').select('cluster').where('name', '=', node).executeTakeFirst();
    return row?.cluster ? this.of(row.cluster) : undefined;
  }

  /** The plans that these nodes belong to, without their secrets. */
  async ofNodes(nodes: readonly string[]): Promise<ClusterPlan[]> {
    const rows = await this.#db
      .selectFrom('plans')
      .select('plan')
      .where('cluster', 'in', (eb) =>
        eb
          .selectFrom('nodes')
          .select('nodes.cluster')
          .where('nodes.name', 'in', ['', ...nodes])
          .$castTo<{ cluster: string }>(),
      )
      .execute();
    return rows.map(({ plan }) => JSON.parse(expand(plan)) as ClusterPlan);
  }

  /** All plans without their secrets, by cluster name. Some may have been stored by an older release. */
  async all(except: readonly string[] = []): Promise<ClusterPlan[]> {
    return (await this.#rows(except)).map(({ plan }) => plan);
  }

  /** The same, validated with the schema of this release. */
  async checked(): Promise<(ClusterPlan | OutdatedPlan)[]> {
    return (await this.#rows([])).map(({ cluster, plan }) => storedPlan(cluster, plan));
  }

  /** By the name of their cluster. */
  async summaries(): Promise<PlanSummary[]> {
    const rows = await this.#db.selectFrom('plans').select('summary').orderBy('cluster').execute();
    return rows.map(({ summary }) => JSON.parse(summary) as PlanSummary);
  }

  /** The columns of a plan. */
  stored(plan: ClusterPlan, secrets: ClusterSecrets): Pick<Schema['plans'], 'plan' | 'summary' | 'sealed_secrets'> {
    return {
      plan: compress(JSON.stringify(plan)),
      summary: JSON.stringify(summaryOf(plan)),
      sealed_secrets: this.#sealer.seal(JSON.stringify(secrets), secretsContext(plan.cluster.name)),
    };
  }

  forget(cluster: string): void {
    this.#parsed.delete(cluster);
  }

  async #rows(except: readonly string[]): Promise<{ cluster: string; plan: ClusterPlan }[]> {
    const rows = await this.#db
      .selectFrom('plans')
      .select(['cluster', 'plan'])
      .where('cluster', 'not in', ['', ...except])
      .orderBy('cluster')
      .execute();
    return rows.map(({ cluster, plan }) => ({ cluster, plan: JSON.parse(expand(plan)) as ClusterPlan }));
  }
}

const secretsContext = (cluster: string): string => `plan/${cluster}`;
