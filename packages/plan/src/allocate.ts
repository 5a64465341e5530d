import { type ipv4, type Problem, problem, type Text } from '@nova-platform/api';

export interface Pool {
  name: Text;
  /** As shown to users, such as `10.20.0.0/24`. */
  shown: string;
  ranges: readonly ipv4.Range[];
  /** New consumers get the last free number instead of the first. */
  isFromEnd?: true;
}

/**
 * Gives every consumer a number of the pool. Existing consumers keep theirs; new ones get the first number that is not
 * taken and was not held before, not even by a consumer that is being removed.
 */
export function allocate(
  pool: Pool,
  consumers: readonly string[],
  held: ReadonlyMap<string, number>,
  takenByOthers: Iterable<number> = [],
): { given: Map<string, number>; problems: Problem[] } {
  const isInPool = (number: number) => pool.ranges.some(({ first, last }) => first <= number && number <= last);
  const unavailable = new Set<number>(takenByOthers);
  const given = new Map<string, number>();
  for (const consumer of consumers) {
    const number = held.get(consumer);
    if (number === undefined || unavailable.has(number) || !isInPool(number)) continue;
    given.set(consumer, number);
    unavailable.add(number);
  }
  for (const number of held.values()) unavailable.add(number);

  const newcomers = consumers.filter((consumer) => !given.has(consumer));
  const free = freeNumbers(pool, unavailable);
  for (const [index, newcomer] of newcomers.entries()) {
    const { value, done } = free.next();
    if (done) return { given, problems: [exhausted(pool, newcomer, newcomers.length, index)] };
    given.set(newcomer, value);
  }
  return { given, problems: [] };
}

function* freeNumbers({ ranges, isFromEnd }: Pool, unavailable: Set<number>): Generator<number, undefined> {
  for (const { first, last } of isFromEnd ? ranges.toReversed() : ranges) {
    for (let index = 0; index <= last - first; index += 1) {
      const number = isFromEnd ? last - index : first + index;
      if (unavailable.has(number)) continue;
      // Ranges in documents may overlap.
      unavailable.add(number);
      yield number;
    }
  }
}

function exhausted(pool: Pool, consumer: string, needed: number, free: number): Problem {
  return problem('NOVA5001', { pool: pool.name, range: pool.shown, consumer, needed, free });
}
