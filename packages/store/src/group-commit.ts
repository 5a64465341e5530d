import { AbortedTransactionError, type Kysely, sql, type Transaction } from 'kysely';
import { isPostgres } from './dialects.ts';

/** The key of the PostgreSQL advisory lock that every commit holds. Nothing else uses this number. */
const commits = 0x6e6f7661;

type Work<Schema> = (transaction: Transaction<Schema>) => Promise<void>;

interface Queued<Schema> {
  work: Work<Schema>;
  done: PromiseWithResolvers<void>;
}

/**
 * Batches writes to share disk syncs: writes that arrive during a commit share the next one. A write resolves when it
 * is on disk.
 */
export class GroupCommit<Schema> {
  readonly #db: Kysely<Schema>;
  #queue: Queued<Schema>[] = [];
  #isBusy = false;

  constructor(db: Kysely<Schema>) {
    this.#db = db;
  }

  write(work: Work<Schema>): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#queue.push({ work, done });
    if (!this.#isBusy) void this.#drain();
    return done.promise;
  }

  async #drain(): Promise<void> {
    this.#isBusy = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      await this.#commitTogether(batch);
    }
    this.#isBusy = false;
  }

  /**
   * Another commit may still be in progress, of a lost connection or a killed process. IDs that it has allocated would
   * become visible after ours.
   */
  async #waitForEarlier(transaction: Transaction<Schema>): Promise<void> {
    if (isPostgres(this.#db)) await sql`select pg_advisory_xact_lock(${sql.lit(commits)})`.execute(transaction);
  }

  async #commitTogether(batch: readonly Queued<Schema>[]): Promise<void> {
    let isCommitting = false;
    try {
      await this.#db.transaction().execute(async (transaction) => {
        await this.#waitForEarlier(transaction);
        for (const { work } of batch) await work(transaction);
        isCommitting = true;
      });
      for (const { done } of batch) done.resolve();
    } catch (error) {
      // If the connection is lost during the commit, the server may have committed: a retry would write everything
      // twice.
      const isUncertain = isCommitting && !(error instanceof AbortedTransactionError);
      // Otherwise one write is at fault: retry each alone, so that the others succeed.
      if (isUncertain || batch.length === 1) for (const { done } of batch) done.reject(error);
      else for (const each of batch) await this.#commitTogether([each]);
    }
  }
}
