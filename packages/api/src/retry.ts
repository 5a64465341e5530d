/** What to do after an error that may disappear by itself. An error without a policy stops the operation. */
export interface RetryPolicy {
  everyMilliseconds: number;
  /** The first attempt counts. */
  attempts: number;
}

/** For services that crash and restart, or whose machine does; a restart takes less than this. */
export const untilRestarted: RetryPolicy = { everyMilliseconds: 1000, attempts: 60 };

/** An error of another program, with the policy that the caller knows for it. */
export class RetryableError extends Error {
  readonly retry: RetryPolicy;

  constructor(cause: Error, retry: RetryPolicy) {
    super(cause.message, { cause });
    this.retry = retry;
  }
}

export function retryPolicyOf(error: unknown): RetryPolicy | undefined {
  return error instanceof Error ? (error as { retry?: RetryPolicy }).retry : undefined;
}

/** Whether the same request may succeed in a moment. */
export function isTransient(error: unknown): error is Error {
  return retryPolicyOf(error) !== undefined;
}
