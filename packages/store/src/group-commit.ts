import { AbortedTransactionError, type Kysely, type Transaction } from 'kysely';

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

  async #commitTogether(batch: readonly Queued<Schema>[]): Promise<void> {
    let isCommitting = false;
    try {
      await this.#db.transaction().execute(async (transaction) => {
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
