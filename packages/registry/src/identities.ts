import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `onList` with the serials of all valid identities, now and after every change. Resolves when the connection
 * ends or the signal aborts.
 */
export type WatchIdentities = (onList: (serials: readonly string[]) => void, signal: AbortSignal) => Promise<void>;

const reconnectPause = 500;

/**
 * The valid identities of nodes. The last list is stored on disk: nodes can pull while the Configuration Manager is
 * unreachable, and revoked identities stay revoked.
 */
export class Identities {
  readonly #file: string;
  #serials: ReadonlySet<string>;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string, serials: readonly string[]) {
    this.#file = file;
    this.#serials = new Set(serials);
  }

  /** Without a stored list no identity is valid. */
  static async open(file: string): Promise<Identities> {
    const text = await readFile(file, 'utf8').catch(() => '[]');
    return new Identities(file, JSON.parse(text) as string[]);
  }

  has(serial: string | undefined): boolean {
    return serial !== undefined && this.#serials.has(serial);
  }

  /** Follows the list until the signal aborts; reconnects when the connection ends. */
  async follow(watch: WatchIdentities, onChange: () => void, signal: AbortSignal): Promise<void> {
    const replace = (serials: readonly string[]) => {
      if (signal.aborted) return;
      this.#serials = new Set(serials);
      onChange();
      this.#write(serials);
    };
    while (!signal.aborted) {
      await watch(replace, signal).catch(() => undefined);
      await sleep(reconnectPause, undefined, { signal }).catch(() => undefined);
    }
    await this.#writing;
  }

  /** Writes are queued, so the last list is written last. */
  #write(serials: readonly string[]): void {
    this.#writing = this.#writing.then(async () => {
      await writeFile(`${this.#file}.new`, JSON.stringify(serials), { mode: 0o600, flush: true });
      await rename(`${this.#file}.new`, this.#file);
    });
    // If the disk is full, the old file stays and the list in memory is used.
    this.#writing = this.#writing.catch(() => undefined);
  }
}
