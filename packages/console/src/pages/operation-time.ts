import type { Operation } from '../api/client.ts';

/** The median duration of completed operations of the same kind, in milliseconds; undefined without any. */
export function usualDuration(kind: string, operations: readonly Operation[]): number | undefined {
  const durations = operations
    .flatMap(({ kind: other, state, createdAt, endedAt }) =>
      other === kind && state === 'done' && endedAt !== undefined ? [Date.parse(endedAt) - Date.parse(createdAt)] : [],
    )
    .toSorted((one, other) => one - other);
  return durations[Math.floor(durations.length / 2)];
}
