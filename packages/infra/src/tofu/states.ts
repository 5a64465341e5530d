import type { Journal } from '@nova-platform/operations';
import type { Sealer } from '@nova-platform/pki';
import { z } from 'zod';
import type { TofuSchema } from './schema.ts';

/** As OpenTofu sends it; a forced unlock sends only the ID. */
export const holder = z.object({
  ID: z.string().min(1).max(256),
  Operation: z.string().max(256).default(''),
  Info: z.string().max(4096).default(''),
  Who: z.string().max(1024).default(''),
  Version: z.string().max(256).default(''),
  Created: z.string().max(256).default(''),
  Path: z.string().max(4096).default(''),
});
export type Holder = z.output<typeof holder>;

/** Older states of a cluster that are kept. */
const keptStates = 20;

/** What OpenTofu knows of the machines of clusters, sealed in the store, and who works on it. */
export class TofuStates {
  readonly #journal: Journal<TofuSchema>;
  readonly #sealer: Sealer;

  constructor(journal: Journal<TofuSchema>, sealer: Sealer) {
    this.#journal = journal;
    this.#sealer = sealer;
  }

  async read(cluster: string): Promise<string | undefined> {
    const row = await this.#journal.db
      .selectFrom('tofu_states')
      .select('sealed')
      .where('cluster', '=', cluster)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && this.#sealer.open(row.sealed, sealContext(cluster));
  }

  /** Writes a state on behalf of the holder of the lock. Returns false if another one, or nobody, holds it. */
  async write(cluster: string, state: string, id: string | undefined): Promise<boolean> {
    const sealed = this.#sealer.seal(state, sealContext(cluster));
    return this.#journal.write(async (transaction) => {
      const lock = await transaction
        .selectFrom('tofu_locks')
        .select('holder')
        .where('cluster', '=', cluster)
        .executeTakeFirst();
      if (!lock || parsed(lock.holder).ID !== id) return false;
      await transaction.insertInto('tofu_states').values({ cluster, sealed, created_at: Date.now() }).execute();
      const [oldest] = await transaction
        .selectFrom('tofu_states')
        .select('id')
        .where('cluster', '=', cluster)
        .orderBy('id', 'desc')
        .offset(keptStates)
        .limit(1)
        .execute();
      if (oldest)
        await transaction
          .deleteFrom('tofu_states')
          .where('cluster', '=', cluster)
          .where('id', '<=', oldest.id)
          .execute();
      return true;
    });
  }

  /** Deletes the state of a cluster with its history. */
  async remove(cluster: string): Promise<void> {
    await this.#journal.write(async (transaction) => {
      for (const table of ['tofu_states', 'tofu_locks'] as const)
        await transaction.deleteFrom(table).where('cluster', '=', cluster).execute();
    });
  }

  /** Returns the holder if another one has the lock. The holder may ask again: its first response can be lost. */
  async lock(cluster: string, wanted: Holder): Promise<Holder | undefined> {
    return this.#journal.write(async (transaction) => {
      const row = await transaction
        .selectFrom('tofu_locks')
        .select('holder')
        .where('cluster', '=', cluster)
        .executeTakeFirst();
      if (row) {
        const found = parsed(row.holder);
        return found.ID === wanted.ID ? undefined : found;
      }
      await transaction
        .insertInto('tofu_locks')
        .values({ cluster, holder: JSON.stringify(wanted) })
        .execute();
      return undefined;
    });
  }

  /** Returns the holder if the ID is not its own. */
  async unlock(cluster: string, id: string): Promise<Holder | undefined> {
    return this.#journal.write(async (transaction) => {
      const row = await transaction
        .selectFrom('tofu_locks')
        .select('holder')
        .where('cluster', '=', cluster)
        .executeTakeFirst();
      const found = row && parsed(row.holder);
      if (found && found.ID !== id) return found;
      await transaction.deleteFrom('tofu_locks').where('cluster', '=', cluster).execute();
      return undefined;
    });
  }

  /** Takes the lock from a run that no longer exists. */
  async breakLock(cluster: string): Promise<void> {
    await this.#journal.write((transaction) =>
      transaction.deleteFrom('tofu_locks').where('cluster', '=', cluster).execute(),
    );
  }
}

const sealContext = (cluster: string): string => `tofu-state/${cluster}`;

function parsed(text: string): Holder {
  return holder.parse(JSON.parse(text));
}
