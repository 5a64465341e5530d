/** Milliseconds. A run's log comes as it is written, so that request may take as long as the run. */
export const longestRun = 3600_000;
export const idleTimeout = 120_000;
