import type { Sealer } from '@nova-platform/pki';
import { z } from 'zod';

const prefix = 'nova-release.';
const context = 'release-access';
const day = 24 * 3600_000;
const lifetime = 30 * day;

const note = z.strictObject({ cluster: z.string(), expiresAt: z.number() });

/**
 * Tokens with which the Flux of a cluster fetches the release. A token is its own sealed content: only Universe can create
 * or read one, and none is stored.
 */
export class ReleaseAccess {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  tokenFor(cluster: string, now: Date = new Date()): string {
    return prefix + this.#sealer.seal(JSON.stringify({ cluster, expiresAt: now.getTime() + lifetime }), context);
  }

  /** The cluster of a token; undefined if the token is invalid or expired. */
  clusterOf(token: string, now: Date = new Date()): string | undefined {
    const { cluster, expiresAt } = this.#open(token) ?? { expiresAt: 0 };
    return expiresAt > now.getTime() ? cluster : undefined;
  }

  /** Whether a token has more than two thirds of its lifetime left. */
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
