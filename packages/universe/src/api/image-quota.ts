import { ProblemError, problem, sizeTexts } from '@nova-platform/api';
import type { RegistryClient } from '@nova-platform/contracts/registry/client';

/** Milliseconds for which a measurement of the registry is used, together with the bytes received since. */
const fresh = 60_000;
/** The registry shares its disk with Universe's store. */
const keptFree = 1024 ** 3;

/** The remaining space for images: limited by the quota and by the disk. */
export class ImageQuota {
  readonly #registry: Pick<RegistryClient, 'size'>;
  readonly #bytes: number;
  #room = 0;
  #measuredAt = 0;

  constructor(registry: Pick<RegistryClient, 'size'>, bytes: number) {
    this.#registry = registry;
    this.#bytes = bytes;
  }

  /** Throws if there is no space for this many bytes. */
  async assertRoom(bytes: number): Promise<void> {
    if (Date.now() - this.#measuredAt > fresh) await this.#measure();
    // Images may have been deleted since.
    if (this.#room < bytes) await this.#measure();
    if (this.#room < bytes) throw this.exceeded();
  }

  /** Counts received bytes; returns false when they exceed the space. */
  take(bytes: number): boolean {
    this.#room -= bytes;
    return this.#room >= 0;
  }

  exceeded(): ProblemError {
    return new ProblemError(problem('NOVA8426', { limit: sizeTexts(this.#bytes) }));
  }

  async #measure(): Promise<void> {
    const { bytes, freeBytes } = await this.#registry.size();
    this.#room = Math.min(this.#bytes - bytes, freeBytes - keptFree);
    this.#measuredAt = Date.now();
  }
}
