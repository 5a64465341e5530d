import { type ipv4, type Problem, problem, type Text } from '@nova-platform/api';

export interface Pool {
  name: Text;
  /** How a person knows it, such as `10.20.0.0/24`. */
  shown: string;
  ranges: readonly ipv4.Range[];
}

/**
 * Gives every consumer a number of the pool. Who had one keeps it; newcomers take the lowest that nobody holds:
 * `live` are all numbers in use before, also those of consumers that are about to go, and those of others.
 */
export function allocate(
  pool: Pool,
  consumers: readonly string[],
  held: ReadonlyMap<string, number>,
  live: Iterable<number> = [],
): { given: Map<string, number>; problems: Problem[] } {
  const isInPool = (number: number) => pool.ranges.some(({ first, last }) => first <= number && number <= last);
  const given = new Map<string, number>();
  const taken = new Set<number>(live);
  const kept = new Set<number>();
  for (const consumer of consumers) {
    const number = held.get(consumer);
    if (number === undefined || kept.has(number) || !isInPool(number)) continue;
    given.set(consumer, number);
    kept.add(number);
  }
  for (const number of [...held.values(), ...kept]) taken.add(number);

  const free = freeNumbers(pool.ranges, taken);
  for (const consumer of consumers) {
    if (given.has(consumer)) continue;
    const { value, done } = free.next();
    if (done) return { given, problems: [exhausted(pool, consumer, consumers.length)] };
    given.set(consumer, value);
  }
  return { given, problems: [] };
}

function* freeNumbers(ranges: readonly ipv4.Range[], taken: ReadonlySet<number>): Generator<number, undefined> {
  const seen = new Set<number>();
  for (const { first, last } of ranges) {
    for (let number = first; number <= last; number += 1) {
      // Ranges given by users may overlap.
      if (taken.has(number) || seen.has(number)) continue;
      if (ranges.length > 1) seen.add(number);
      yield number;
    }
  }
}

function exhausted(pool: Pool, consumer: string, needed: number): Problem {
  const size = pool.ranges.reduce((sum, { first, last }) => sum + Math.max(0, last - first + 1), 0);
  return problem('NOVA5001', { pool: pool.name, range: pool.shown, consumer, needed, size });
}
