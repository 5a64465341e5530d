import { setTimeout as sleep } from 'node:timers/promises';

interface PollOptions<Missing> {
  /** Milliseconds between two checks. */
  every: number;
  /** Timeout in milliseconds. */
  within: number;
  /** Called when the result of the check changes. */
  onMissing?: (missing: Missing) => void;
  signal?: AbortSignal;
}

export interface WaitOptions<Missing> extends PollOptions<Missing> {
  /** Returns the error to throw on timeout. */
  expired: (missing: Missing) => Error;
}

/** Checks until nothing is missing. Fails on timeout. */
export async function waitUntil<Missing extends NonNullable<unknown>>(
  check: () => Promise<Missing | undefined>,
  { expired, ...options }: WaitOptions<Missing>,
): Promise<void> {
  const missing = await stillMissing(check, options);
  if (missing !== undefined) throw expired(missing);
}

/**
 * Checks until nothing is missing. Returns what is missing at the timeout. Always checks once more after the deadline,
 * so that a paused process does not miss a success.
 */
export async function stillMissing<Missing extends NonNullable<unknown>>(
  check: () => Promise<Missing | undefined>,
  { every, within, onMissing, signal }: PollOptions<Missing>,
): Promise<Missing | undefined> {
  const deadline = Date.now() + within;
  let reported = '';
  for (;;) {
    const isLast = Date.now() > deadline;
    const missing = await check();
    if (missing === undefined) return undefined;
    const text = JSON.stringify(missing);
    if (text !== reported) onMissing?.(missing);
    reported = text;
    if (isLast) return missing;
    await sleep(every, undefined, signal && { signal });
  }
}
