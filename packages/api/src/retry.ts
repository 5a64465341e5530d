/** How to retry after a transient error. An error without a policy stops the operation. */
export interface RetryPolicy {
  everyMilliseconds: number;
  /** Includes the first attempt. */
  attempts: number;
}

/** For services that crash, or whose machine crashes; they restart within this time. */
export const untilRestarted: RetryPolicy = { everyMilliseconds: 1000, attempts: 60 };

/** An error of another program, with a retry policy from the caller. */
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

/** Whether the same request may soon succeed. */
export function isTransient(error: unknown): error is Error {
  return retryPolicyOf(error) !== undefined;
}
