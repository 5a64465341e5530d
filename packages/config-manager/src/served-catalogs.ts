import { gzipSync } from 'node:zlib';
import { type Catalog, toWire } from '@nova-platform/catalog';
import type { Database } from './store/database.ts';

/** A catalog in the agents' format. */
export interface ServedCatalog {
  id: number;
  /** JSON, compressed with gzip. */
  body: Buffer;
  /** Long contents by checksum. */
  files: ReadonlyMap<string, string>;
}

const cacheSize = 512;

/** Stored catalogs in the agents' format. Recently used ones are cached in memory. */
export class ServedCatalogs {
  readonly #db: Database;
  readonly #restore: (body: Uint8Array) => Catalog;
  readonly #cache = new Map<number, ServedCatalog>();

  constructor(db: Database, restore: (body: Uint8Array) => Catalog) {
    this.#db = db;
    this.#restore = restore;
  }

  async of(node: string, id: number): Promise<ServedCatalog | undefined> {
    const known = this.#cache.get(id);
    if (known) {
      // A Map keeps insertion order: reinserting makes this entry the newest.
      this.#cache.delete(id);
      this.#cache.set(id, known);
      return known;
    }
    const row = await this.#db
      .selectFrom('catalogs')
      .select('body')
      .where('id', '=', id)
      .where('node', '=', node)
      .executeTakeFirst();
    if (!row) return undefined;
    const { catalog, files } = toWire(this.#restore(row.body), String(id));
    const served = { id, body: gzipSync(JSON.stringify(catalog)), files };
    this.#cache.set(id, served);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > cacheSize && oldest !== undefined) this.#cache.delete(oldest);
    return served;
  }
}
