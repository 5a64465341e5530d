import type { RetryPolicy } from '../retry.ts';
import type { Text } from '../text.ts';

interface ErrorEntry {
  /** The problem. `{name}` is replaced by a parameter. */
  message: Text;
  /** The correct value, or the action to take. */
  remedy: Text;
  /** The HTTP status. The default is 422: the request is valid, but cannot be carried out. */
  status?: number;
  /** Only for errors that may disappear without intervention. */
  retry?: RetryPolicy;
  /** The agent or the machine of a node was lost; the agent reconnects by itself. */
  isLostAgent?: true;
}

interface Properties {
  area: string;
  status: number;
  retry?: RetryPolicy;
  isLostAgent?: true;
}

/** The errors of one area. Each entry gets its area and its HTTP status. */
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
