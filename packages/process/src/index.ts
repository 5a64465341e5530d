export { exclusively, sharing, unlessLocked } from './lock.ts';
export { attempt, CommandError, type RunOptions, run } from './run.ts';
export { stillMissing, type WaitOptions, waitUntil } from './wait.ts';
