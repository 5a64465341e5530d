import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions<Missing> {
  /** Milliseconds between two checks. */
  every: number;
  /** Timeout in milliseconds. */
  within: number;
  /** Returns the error to throw on timeout. */
  expired: (missing: Missing) => Error;
  /** Called when the result of the check changes. */
  onMissing?: (missing: Missing) => void;
  signal?: AbortSignal;
}

/**
 * Checks until nothing is missing. Always checks once more after the deadline, so that a paused process does not miss a
 * success.
 */
export async function waitUntil<Missing extends string | number | boolean | object>(
  check: () => Promise<Missing | undefined>,
  { every, within, expired, onMissing, signal }: WaitOptions<Missing>,
): Promise<void> {
  const deadline = Date.now() + within;
  let reported = '';
  for (;;) {
    const isLast = Date.now() > deadline;
    const missing = await check();
    if (missing === undefined) return;
    const text = JSON.stringify(missing);
    if (text !== reported) onMissing?.(missing);
    reported = text;
    if (isLast) throw expired(missing);
    await sleep(every, undefined, signal && { signal });
  }
}
