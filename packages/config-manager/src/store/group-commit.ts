import type { Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

type Work = (transaction: Transaction<Schema>) => Promise<void>;

/**
 * Writes that wait for the disk together: whoever writes while a commit is under way shares the next one. A write is
 * done when it is on the disk.
 */
export class GroupCommit {
  readonly #db: Database;
  #queue: { work: Work; done: PromiseWithResolvers<void> }[] = [];
  #isBusy = false;

  constructor(db: Database) {
    this.#db = db;
  }

  write(work: Work): Promise<void> {
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
      try {
        await this.#commit(batch.map(({ work }) => work));
        for (const { done } of batch) done.resolve();
      } catch {
        // One of them is at fault; the others must not suffer for it.
        for (const { work, done } of batch) await this.#commit([work]).then(done.resolve, done.reject);
      }
    }
    this.#isBusy = false;
  }

  #commit(works: readonly Work[]): Promise<void> {
    return this.#db.transaction().execute(async (transaction) => {
      for (const work of works) await work(transaction);
    });
  }
}
