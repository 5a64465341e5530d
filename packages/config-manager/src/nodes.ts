import { ProblemError, problem } from '@nova-platform/api';
import type { Facts } from '@nova-platform/catalog';
import type { NodeStatus } from '@nova-platform/contracts/config-manager';
import type { GroupCommit } from '@nova-platform/store';
import { sql } from 'kysely';
import { compress } from './compressed.ts';
import type { Database } from './store/database.ts';
import type { Schema } from './store/schema.ts';

export interface NodeQuery {
  cluster?: string | undefined;
  /** Part of the name. */
  search?: string | undefined;
  /** The last name of the previous page. */
  after?: string | undefined;
  limit: number;
}

export interface NodeCounts {
  nodes: number;
  /** Nodes whose last run failed. */
  failed: number;
  neverSeen: number;
}

/** Nodes with their last known state. */
export class Nodes {
  readonly #db: Database;
  readonly #commit: GroupCommit<Schema>;
  /** Facts that are not written yet. The latest facts of a node win. */
  readonly #unwritten = new Map<string, Facts>();
  #isWriting = false;
  readonly #onError: (error: unknown) => void;

  constructor(db: Database, commit: GroupCommit<Schema>, onError: (error: unknown) => void) {
    this.#db = db;
    this.#commit = commit;
    this.#onError = onError;
  }

  /** Every run sends facts, and no request waits for them: they are written in batches, soon after. */
  saw(node: string, facts: Facts): void {
    this.#unwritten.set(node, facts);
    if (!this.#isWriting) void this.#write();
  }

  /** Resolves when all facts are written. */
  async flush(): Promise<void> {
    while (this.#isWriting) await new Promise((wake) => setTimeout(wake, 5));
  }

  /** Nodes by name. `next` is set if there are more. */
  async page({ cluster, search, after, limit }: NodeQuery): Promise<{ nodes: NodeStatus[]; next?: string }> {
    // The index covers names alone. Everything else is read for the nodes of the page.
    let names = this.#db
      .selectFrom('nodes')
      .select('name')
      .orderBy('name')
      .limit(limit + 1);
    if (cluster !== undefined) names = names.where('cluster', '=', cluster);
    if (after !== undefined) names = names.where('name', '>', after);
    // Names are lowercase.
    if (search !== undefined) names = names.where(sql<boolean>`name like ${patternOf(search)} escape '\\'`);
    const found = (await names.execute()).map(({ name }) => name);
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return { nodes: await this.#statuses(shown), ...(last !== undefined && { next: last }) };
  }

  async one(name: string): Promise<NodeStatus> {
    const [status] = await this.#statuses([name]);
    if (!status) throw unknown(name);
    return status;
  }

  /** Whether a node has applied its approved catalog, and the status of its last run. */
  async progress(name: string): Promise<{ isCurrent: boolean; status: 'unchanged' | 'changed' | 'failed' | null }> {
    const row = await this.#db
      .selectFrom('nodes')
      .select(['catalog_id', 'applied_catalog_id', 'last_status'])
      .where('name', '=', name)
      .executeTakeFirst();
    if (!row) throw unknown(name);
    return {
      isCurrent: row.catalog_id !== null && row.catalog_id === row.applied_catalog_id,
      status: row.last_status,
    };
  }

  /** One entry per cluster. */
  async counts(clusters: readonly string[]): Promise<Map<string, NodeCounts>> {
    const rows = await this.#db
      .selectFrom('nodes')
      .select(({ fn }) => [
        'cluster',
        fn.countAll<number>().as('nodes'),
        sql<number>`sum(case when last_status = 'failed' then 1 else 0 end)`.as('failed'),
        sql<number>`sum(case when seen_at is null then 1 else 0 end)`.as('neverSeen'),
      ])
      .where('cluster', 'in', ['', ...clusters])
      .groupBy('cluster')
      .execute();
    const known = new Map(rows.map(({ cluster, ...counts }) => [cluster, counts]));
    return new Map(clusters.map((cluster) => [cluster, known.get(cluster) ?? { nodes: 0, failed: 0, neverSeen: 0 }]));
  }

  async count(): Promise<number> {
    const row = await this.#db
      .selectFrom('nodes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  }

  async assertExists(node: string): Promise<void> {
    const row = await this.#db.selectFrom('nodes').select('name').where('name', '=', node).executeTakeFirst();
    if (!row) throw unknown(node);
  }

  /** The known nodes among these, by name. */
  async #statuses(names: readonly string[]): Promise<NodeStatus[]> {
    const rows = await this.#db
      .selectFrom('nodes')
      .leftJoin('reports', 'reports.id', 'nodes.last_report_id')
      .select([
        'nodes.name',
        'nodes.cluster',
        'nodes.roles',
        'nodes.address',
        'nodes.seen_at',
        'reports.received_at',
        'reports.status',
        'reports.is_noop',
        'reports.changed',
        'reports.corrective',
        'reports.failed',
        'reports.seconds',
        'reports.agent_version',
      ])
      .where('nodes.name', 'in', ['', ...names])
      .orderBy('nodes.name')
      .execute();
    const identities = await this.#db
      .selectFrom('certificates')
      .select(['node', sql<number>`max(case when revoked_at is null then 1 else 0 end)`.as('is_valid')])
      .where('purpose', '=', 'identity')
      .where('node', 'in', ['', ...names])
      .groupBy('node')
      .execute();
    const identityOf = new Map(
      identities.map(({ node, is_valid }) => [node, is_valid === 1 ? 'valid' : 'revoked'] as const),
    );
    return rows.map((row) => ({
      name: row.name,
      ...(row.cluster !== null && { cluster: row.cluster }),
      roles: row.roles?.split(',') ?? [],
      ...(row.address !== null && { address: row.address }),
      identity: identityOf.get(row.name) ?? 'none',
      ...(row.seen_at !== null && { seenAt: new Date(row.seen_at).toISOString() }),
      ...(row.status !== null && {
        lastRun: {
          at: new Date(row.received_at ?? 0).toISOString(),
          status: row.status,
          isNoop: row.is_noop === 1,
          changed: row.changed ?? 0,
          corrective: row.corrective ?? 0,
          failed: row.failed ?? 0,
          seconds: row.seconds ?? 0,
        },
        agentVersion: row.agent_version ?? '',
      }),
    }));
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#unwritten.size > 0) {
      // Wait for more facts to batch.
      await new Promise((wake) => setTimeout(wake, 50));
      const batch = [...this.#unwritten];
      this.#unwritten.clear();
      const seen_at = Date.now();
      const written = this.#commit.write(async (transaction) => {
        for (const [name, facts] of batch) {
          await transaction
            .updateTable('nodes')
            .set({ facts: compress(JSON.stringify(facts)), seen_at })
            .where('name', '=', name)
            .execute();
        }
      });
      // The node's next run sends them again.
      await written.catch(this.#onError);
    }
    this.#isWriting = false;
  }
}

const unknown = (node: string): ProblemError => new ProblemError(problem('NOVA8010', { node }));

const patternOf = (search: string): string => `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
