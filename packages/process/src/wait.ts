import { setTimeout as sleep } from 'node:timers/promises';

export interface Waiting<Missing> {
  /** Milliseconds between two checks. */
  every: number;
  /** Milliseconds after which it gives up. */
  within: number;
  /** The error to throw then. */
  expired: (missing: Missing) => Error;
  /** Called with what is missing, each time that it differs from the check before. */
  onMissing?: (missing: Missing) => void;
  signal?: AbortSignal;
}

/** Checks until nothing is missing. It always checks once more after the deadline, so a paused process loses no success. */
export async function waitUntil<Missing extends string | number | boolean | object>(
  check: () => Promise<Missing | undefined>,
  { every, within, expired, onMissing, signal }: Waiting<Missing>,
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
