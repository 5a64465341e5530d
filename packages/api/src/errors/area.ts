import type { RetryPolicy } from '../retry.ts';
import type { Text } from '../text.ts';

interface ErrorEntry {
  /** What is wrong. `{name}` stands for a parameter. */
  message: Text;
  /** What would be right, or what to do. */
  remedy: Text;
  /** The HTTP status; 422 by default: the request is understood but cannot be done. */
  status?: number;
  /** Only for errors that may disappear without anyone doing something. */
  retry?: RetryPolicy;
  /** The agent of a node was lost, or its machine was: it connects again by itself. */
  isLostAgent?: true;
}

interface Properties {
  area: string;
  status: number;
  retry?: RetryPolicy;
  isLostAgent?: true;
}

/** The errors of one area. Each entry is completed with its area and its HTTP status. */
export function area<const Entries extends Record<`NOVA${number}`, ErrorEntry>>(
  name: string,
  title: Text,
  entries: Entries,
) {
  const errors = Object.fromEntries(
    Object.entries(entries).map(([code, entry]) => [code, { status: 422, ...entry, area: name }]),
  ) as unknown as { [Code in keyof Entries]: Entries[Code] & Properties };
  return { name, title, errors };
}
