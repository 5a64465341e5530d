/** Milliseconds. The log of a run is streamed, so its request may take as long as the run. */
export const longestRun = 3600_000;
export const idleTimeout = 120_000;
