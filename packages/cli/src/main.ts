import { enableCompileCache } from 'node:module';
import { exitCodes } from './exit-codes.ts';
import { run } from './run.ts';

enableCompileCache();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => process.exit(exitCodes.interrupted.code));
// A reader that goes away, as `head` does, is no failure.
process.stdout.on('error', () => process.exit(exitCodes.done.code));

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, cwd: process.cwd() });
