import { ProblemError, problem } from '@nova-platform/api';

const minute = 60_000;
const maxKeys = 10_000;
const forgottenAfter = 60 * minute;

/**
 * Number of free failures; each further one doubles the delay. Limits of an address are strict. Anyone can fail with a
 * user name, so its limits are loose: attackers must not lock the user out.
 */
const limits = {
  pair: { free: 5, longest: 15 * minute },
  address: { free: 20, longest: 15 * minute },
  name: { free: 100, longest: 10_000 },
} as const;

interface Failures {
  count: number;
  at: number;
  until: number;
}

/** Slows down password guessing. */
export class LoginLimits {
  readonly #failures = new Map<string, Failures>();
  /** Users with addresses of their successful logins: there, failures from other addresses do not count. */
  readonly #known = new Set<string>();
  readonly #now: () => number;

  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /**
   * Throws while the client must wait. An attempt counts as failed until the returned function confirms it, so that
   * concurrent attempts are limited like sequential ones.
   */
  try(name: string, address: string): () => void {
    const pair = `${address} ${name}`;
    const keys: [string, keyof typeof limits][] = [
      [pair, 'pair'],
      [address, 'address'],
    ];
    if (!this.#known.has(pair)) keys.push([` ${name}`, 'name']);
    const wait = Math.max(...keys.map(([key]) => (this.#failures.get(key)?.until ?? 0) - this.#now()));
    if (wait > 0) throw new ProblemError(problem('NOVA8313', { seconds: Math.ceil(wait / 1000) }));
    const release = keys.map(([key, kind]) => this.#count(key, kind));
    return () => {
      for (const each of release) each();
      this.#failures.delete(pair);
      this.#known.add(pair);
      dropOldest(this.#known);
    };
  }

  #count(key: string, kind: keyof typeof limits): () => void {
    const { free, longest } = limits[kind];
    const now = this.#now();
    const found = this.#failures.get(key);
    const before = found && found.at + forgottenAfter > now ? found : undefined;
    const count = (before?.count ?? 0) + 1;
    const pause = count < free ? 0 : Math.min(1000 * 2 ** (count - free), longest);
    const counted = { count, at: now, until: now + pause };
    this.#put(key, counted);
    return () => {
      const current = this.#failures.get(key);
      if (!current) return;
      // There were other failures since: their delay stays.
      if (current !== counted) this.#put(key, { ...current, count: current.count - 1 });
      else if (before) this.#put(key, before);
      else this.#failures.delete(key);
    };
  }

  #put(key: string, failures: Failures): void {
    this.#failures.delete(key);
    this.#failures.set(key, failures);
    dropOldest(this.#failures);
  }
}

function dropOldest(keyed: Pick<Map<string, unknown>, 'size' | 'delete'> & { keys: () => Iterator<string> }): void {
  const { done, value } = keyed.keys().next();
  if (keyed.size > maxKeys && !done) keyed.delete(value);
}
