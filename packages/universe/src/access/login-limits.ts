import { ProblemError, problem } from '@nova-platform/api';

const minute = 60_000;
const maxKeys = 10_000;
const forgottenAfter = 60 * minute;

/**
 * After so many failures each one doubles the pause. What one address tries is limited strictly. A name is everybody's
 * to fail with, so that strangers must not lock its owner out: many failures, and short pauses.
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

/** Guessing passwords is slow. */
export class LoginLimits {
  readonly #failures = new Map<string, Failures>();
  /** Names with addresses that they came in from: there, others' failures do not count. */
  readonly #known = new Set<string>();
  readonly #now: () => number;

  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /**
   * Refuses whoever has to wait. Any other try counts as failed, so that many at once are no more than many in turn,
   * until the function is called that this answers: it was right.
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
    const takeBack = keys.map(([key, kind]) => this.#count(key, kind));
    return () => {
      for (const each of takeBack) each();
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
      // Others have failed since: their pause stays.
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
