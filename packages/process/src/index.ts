export { exclusively, sharing, unlessLocked } from './lock.ts';
export { attempt, CommandError, type RunOptions, run } from './run.ts';
export { type WaitOptions, waitUntil } from './wait.ts';
