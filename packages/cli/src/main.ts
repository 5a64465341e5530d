import { enableCompileCache } from 'node:module';
import { exitCodes } from './exit-codes.ts';
import { run } from './run.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;
const exit = () => process.exit(exitCodes.interrupted.code);

enableCompileCache();
for (const signal of signals) process.once(signal, exit);
// A reader that closes the pipe, such as `head`, is not a failure.
process.stdout.on('error', () => process.exit(exitCodes.done.code));

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, cwd: process.cwd(), untilStopped });

function untilStopped(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => {
    for (const signal of signals) process.off(signal, stop).once(signal, exit);
    resolve();
  };
  for (const signal of signals) process.off(signal, exit).once(signal, stop);
  return promise;
}
