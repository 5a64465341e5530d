import type { Sealer } from '@nova-platform/pki';
import { z } from 'zod';

const prefix = 'nova-release.';
const context = 'release-access';
const day = 24 * 3600_000;
const lifetime = 30 * day;

const note = z.strictObject({ cluster: z.string(), expiresAt: z.number() });

/**
 * Tokens by which Flux of a cluster fetches the release. Each is a note to ourselves, sealed: nobody else can read or
 * write one, and there is nothing to keep.
 */
export class ReleaseAccess {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  tokenFor(cluster: string, now: Date = new Date()): string {
    return prefix + this.#sealer.seal(JSON.stringify({ cluster, expiresAt: now.getTime() + lifetime }), context);
  }

  /** The cluster that a token was made for; none when it is wrong or has ended. */
  clusterOf(token: string, now: Date = new Date()): string | undefined {
    const { cluster, expiresAt } = this.#open(token) ?? { expiresAt: 0 };
    return expiresAt > now.getTime() ? cluster : undefined;
  }

  /** Whether a token is still good for two thirds of its time. */
  isFresh(token: string, cluster: string, now: Date = new Date()): boolean {
    const opened = this.#open(token);
    return opened?.cluster === cluster && opened.expiresAt - now.getTime() > (2 / 3) * lifetime;
  }

  #open(token: string): z.output<typeof note> | undefined {
    try {
      return note.parse(JSON.parse(this.#sealer.open(token.slice(prefix.length), context)));
    } catch {
      return undefined;
    }
  }
}

export function isReleaseToken(token: string): boolean {
  return token.startsWith(prefix);
}
