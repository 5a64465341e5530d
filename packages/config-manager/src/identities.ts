import type { Database } from './store/database.ts';

/** The currently valid identities of nodes, for services that verify them on their own. */
export class Identities {
  readonly #db: Database;
  readonly #watching = new Set<() => void>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Call it after every change of the identities. */
  changed(): void {
    for (const wake of this.#watching) wake();
  }

  /** Reports all valid serials now and after every change, until `left` aborts. */
  async watch(say: (list: { serials: string[] }) => void, left: AbortSignal): Promise<void> {
    let wake = (): void => undefined;
    const notify = () => wake();
    this.#watching.add(notify);
    left.addEventListener('abort', notify);
    try {
      while (!left.aborted) {
        // Created before the query: a change during the query is reported in the next round.
        const change = new Promise<void>((resolve) => {
          wake = resolve;
        });
        say({ serials: await this.#valid() });
        if (!left.aborted) await change;
      }
    } finally {
      this.#watching.delete(notify);
    }
  }

  async #valid(): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('certificates')
      .select('serial')
      .where('purpose', '=', 'identity')
      .where('revoked_at', 'is', null)
      .where('not_after', '>', Date.now())
      .orderBy('serial')
      .execute();
    return rows.map(({ serial }) => serial);
  }
}
