import { AbortedTransactionError, type Kysely, sql, type Transaction } from 'kysely';
import { isPostgres } from './dialects.ts';

/** The lock of PostgreSQL's that every commit of ours holds: a number that nobody else has. */
const commits = 0x6e6f7661;

type Work<Schema> = (transaction: Transaction<Schema>) => Promise<void>;

interface Queued<Schema> {
  work: Work<Schema>;
  done: PromiseWithResolvers<void>;
}

/**
 * Writes that wait for the disk together: whoever writes while a commit is under way shares the next one. A write is
 * done when it is on the disk.
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
   * A commit may still be under way whose answer will reach nobody: of a connection that is lost, or of a process that
   * was killed. Numbers that it gave out would appear after ours.
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
      // A server that is lost now may have committed: done again, everything would be there twice.
      const isUncertain = isCommitting && !(error instanceof AbortedTransactionError);
      // Otherwise one of them is at fault; the others must not suffer for it.
      if (isUncertain || batch.length === 1) for (const { done } of batch) done.reject(error);
      else for (const each of batch) await this.#commitTogether([each]);
    }
  }
}
