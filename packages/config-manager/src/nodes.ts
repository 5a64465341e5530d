import { ProblemError, problem } from '@nova-platform/api';
import type { Facts } from '@nova-platform/catalog';
import { compress } from './compressed.ts';
import type { Database } from './store/database.ts';
import type { GroupCommit } from './store/group-commit.ts';

export interface NodeStatus {
  name: string;
  cluster?: string;
  identity: 'valid' | 'revoked' | 'none';
  lastRun?: {
    at: string;
    status: 'unchanged' | 'changed' | 'failed';
    isNoop: boolean;
    changed: number;
    corrective: number;
    failed: number;
    seconds: number;
  };
  agentVersion?: string;
  seenAt?: string;
}

/** Nodes as they were last seen. */
export class Nodes {
  readonly #db: Database;
  readonly #commit: GroupCommit;
  /** Facts that are not written yet: of several from one node the last counts. */
  readonly #unwritten = new Map<string, Facts>();
  #isWriting = false;
  readonly #onError: (error: unknown) => void;

  constructor(db: Database, commit: GroupCommit, onError: (error: unknown) => void) {
    this.#db = db;
    this.#commit = commit;
    this.#onError = onError;
  }

  /** Facts come with every run and nobody waits for them: they are written together, soon. */
  saw(node: string, facts: Facts): void {
    this.#unwritten.set(node, facts);
    if (!this.#isWriting) void this.#write();
  }

  /** Done when all facts are written. */
  async flush(): Promise<void> {
    while (this.#isWriting) await new Promise((wake) => setTimeout(wake, 5));
  }

  async list(): Promise<NodeStatus[]> {
    const rows = await this.#db
      .selectFrom('nodes')
      .leftJoin(
        (eb) =>
          eb
            .selectFrom('reports')
            .select(['node', (each) => each.fn.max('id').as('id')])
            .groupBy('node')
            .as('latest'),
        (join) => join.onRef('latest.node', '=', 'nodes.name'),
      )
      .leftJoin('reports', 'reports.id', 'latest.id')
      .select([
        'nodes.name',
        'nodes.cluster',
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
      .orderBy('nodes.name')
      .execute();
    const identities = await this.#db
      .selectFrom('certificates')
      .select(['node', 'revoked_at'])
      .where('purpose', '=', 'identity')
      .execute();
    const known = new Map<string, boolean>();
    for (const { node, revoked_at } of identities) known.set(node, known.get(node) === true || revoked_at === null);
    return rows.map((row) => ({
      name: row.name,
      ...(row.cluster !== null && { cluster: row.cluster }),
      identity: known.has(row.name) ? (known.get(row.name) ? 'valid' : 'revoked') : 'none',
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

  async demand(node: string): Promise<void> {
    const row = await this.#db.selectFrom('nodes').select('name').where('name', '=', node).executeTakeFirst();
    if (!row) throw new ProblemError(problem('NOVA8010', { node }));
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#unwritten.size > 0) {
      // Some time for others to come along.
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
      // They come again with the node's next run.
      await written.catch(this.#onError);
    }
    this.#isWriting = false;
  }
}
