import type { ChangedField } from '@nova-platform/change/fields';
import type { Journal } from '@nova-platform/operations';
import { sql } from 'kysely';
import type { Schema } from './store/schema.ts';

export interface AuditEntry {
  id: number;
  at: string;
  who: string;
  from: string;
  action: string;
  target: string;
  /** The HTTP status of the response. */
  outcome: number;
  /** The credential of the client; entries of older releases do not have it. */
  credential?: string;
  /** Set only if something changed. */
  changes?: ChangedField[];
}

interface AuditFilter {
  who?: string | undefined;
  action?: string | undefined;
  /** A part of the target. */
  target?: string | undefined;
  since?: string | undefined;
  before?: number | undefined;
  limit: number;
}

/** The audit trail. The store itself refuses to change stored entries. */
export class Audit {
  readonly #journal: Journal<Schema>;

  constructor(journal: Journal<Schema>) {
    this.#journal = journal;
  }

  async add({ from, changes = [], ...entry }: Omit<AuditEntry, 'id' | 'at'>): Promise<void> {
    const row = { ...entry, from_address: from, changes: changes.length > 0 ? JSON.stringify(changes) : null };
    await this.#journal.write((transaction) =>
      transaction
        .insertInto('audit')
        .values({ ...row, at: Date.now() })
        .execute(),
    );
  }

  /** The newest first. */
  async page({ before, who, action, target = '', since, limit }: AuditFilter) {
    const rows = await this.#journal.db
      .selectFrom('audit')
      .selectAll()
      .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
      .$if(who !== undefined, (query) => query.where('who', '=', who ?? ''))
      .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
      .$if(since !== undefined, (query) => query.where('at', '>=', Date.parse(since ?? '')))
      .$if(target !== '', (query) =>
        query.where(sql<boolean>`target like ${`%${target.replace(/[!%_]/g, '!$&')}%`} escape '!'`),
      )
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    const entries = rows.slice(0, limit).map(({ at, from_address, credential, changes, ...row }) => ({
      ...row,
      at: new Date(at).toISOString(),
      from: from_address,
      ...(credential !== null && { credential }),
      ...(changes !== null && { changes: JSON.parse(changes) as ChangedField[] }),
    }));
    const last = entries.at(-1);
    return { entries, ...(rows.length > limit && last && { next: last.id }) };
  }
}
